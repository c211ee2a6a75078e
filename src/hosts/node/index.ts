export {
  type CommandExecutorOptions,
  commandExecutor,
  type PresetExecutorOptions,
  presetExecutor,
} from "../../adapters/command-executor.ts";
export { fileStore } from "../../adapters/documents/file-store.ts";
export { fileState } from "../../adapters/file-state.ts";
export { specFiles } from "../../adapters/files/spec-files.ts";
export { git } from "../../adapters/git.ts";
export {
  type FailureRecovery,
  readFailureRecovery,
  writeFailureRecovery,
} from "../../adapters/settings/failure-recovery.ts";
export { shell } from "../../adapters/shell.ts";
export { systemClock } from "../../adapters/system-clock.ts";
export { createRunControl, type RunControl } from "../../runtime/run-control.ts";
export { findSpec, type SpecFolder } from "./find-spec.ts";
export { type FileRun, type FileRunOptions, fileRun, type Reported } from "./hand-out/file-run.ts";
export type { NextStep } from "./hand-out/next-step.ts";
export type { Report, Verdict } from "./hand-out/read-report.ts";
export { exportPage, exportSummary } from "./reading/export-page.ts";
export { type AttemptOutput, readAttempt } from "./reading/read-attempt.ts";
export { readExplanation } from "./reading/read-explanation.ts";
export { type ReplayReport, readReplay } from "./reading/read-replay.ts";
export { readStatus, type StatusOptions } from "./reading/read-status.ts";
export type { ExecutorChoice, ExecutorOption, RunOptions } from "./run-options.ts";
export { runSpec } from "./run-spec.ts";
