export { type Acts, createActs, createEffects, type Effects } from "../effects/create-effects.ts";
export { type Performers, performEffect } from "../effects/performers.ts";
export { createRunMemory, type RunMemory, type RunStore } from "../effects/run-memory.ts";
export { type Ending, endRun } from "./conclude.ts";
export type { RecordedStart } from "./recorded-run.ts";
export { restore } from "./restore.ts";
export {
  hear,
  type Move,
  openSession,
  outcomeOf,
  performable,
  type Session,
  takeAnswer,
} from "./session.ts";
export { pending, report, type Step, send, start } from "./step.ts";
export type { StepState } from "./step-state.ts";
export { type FrameMaker, frameMaker, framesOf } from "./to-frames.ts";
export { toMermaid } from "./to-mermaid.ts";
