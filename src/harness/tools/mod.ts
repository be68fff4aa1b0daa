export { type BuiltinTools, createBuiltinTools } from "./builtin_tools.ts";
