export * from "./always_pass_judge.ts";
export * from "./executable_judge.ts";
export * from "./judge.ts";
export * from "./regex_judge.ts";
