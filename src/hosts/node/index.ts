export { type CommandExecutorOptions, commandExecutor } from "../../adapters/command-executor.ts";
export { fileStore } from "../../adapters/file-store.ts";
export { git } from "../../adapters/git.ts";
export { shell } from "../../adapters/shell.ts";
export { systemClock } from "../../adapters/system-clock.ts";
export { findSpec, type SpecFolder } from "./find-spec.ts";
export { readStatus } from "./read-status.ts";
export type { RunOptions } from "./run-options.ts";
export { runSpec } from "./run-spec.ts";
