export * from "./always_pass_judge.ts";
export * from "./executable_judge.ts";
export * from "./judge.ts";
export * from "./regex_judge.ts";
export * from "./rubric_context.ts";
export * from "./rubric_error.ts";
export * from "./rubric_judge.ts";
export type { RubricCriterion, RubricJudgeOptions } from "./rubric_options.ts";
export type { RubricPart } from "./rubric_parts.ts";
