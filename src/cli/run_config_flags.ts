/** Flags of all commands that run something: what to run. */
export const runConfigFlags = {
  config: { type: "string", short: "c", value: "FILE|JSON", help: "The run config." },
  task: { type: "string", value: "TASK", help: "Id of the task." },
  model: { type: "string", value: "MODEL", help: "provider/name of the student's model." },
  modelApiKey: {
    type: "string",
    value: "KEY",
    help: "The model's key; better $NAME of an environment variable that holds it.",
  },
  fakeModel: {
    type: "boolean",
    help: "Replay src/environment/fake_model.ts instead of calling a model.",
  },
  judgeModel: {
    type: "string",
    value: "MODEL",
    help: "The model that judges ask (default: the student's); with --fake-model, the only one.",
  },
  maxJudgeQuestions: {
    type: "integer",
    value: "N",
    min: 0,
    help: "Most questions of a run's judges to models (default: 1,000).",
  },
  maxJudgeTokens: {
    type: "integer",
    value: "N",
    min: 0,
    help: "Most tokens of these questions, read and written (default: 5 million).",
  },
  maxJudgeCost: {
    type: "number",
    value: "USD",
    min: 0,
    help: "Most that these questions may cost (default: no limit).",
  },
  reasoningEffort: { type: "string", value: "LEVEL", help: "min, max or a level of the model." },
  turnLimit: { type: "integer", value: "N", min: 0, help: "Most responses of the model." },
  runId: { type: "string", value: "ID", help: "Name of the run; made up if absent." },
  transcriptFile: {
    type: "string",
    value: "FILE",
    help: "The transcript, instead of out/<run_id>.json.",
  },
} as const;

/** Flags of all commands that run something: how models are called. */
export const modelFlags = {
  proxy: { type: "string", value: "URL", help: "Call models through this URL." },
  noProxy: { type: "boolean", help: "Call models without a proxy, whatever plugins say." },
  record: {
    type: "string",
    value: "FILE",
    help: "Keep every exchange with a model in a new file.",
  },
  replay: {
    type: "string",
    value: "FILE",
    help: "Take the models' answers from such a file: no network, key or --proxy is needed.",
  },
} as const;
