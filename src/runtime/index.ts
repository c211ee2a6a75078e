export { type Acted, type Acts, createActs, performAct } from "../effects/create-effects.ts";
export { createEffects, type Effects, type Performers, performEffect } from "../effects/effects.ts";
export { createRunMemory, type RunMemory, type RunStore } from "../effects/run-memory.ts";
export { apply } from "../run/apply.ts";
export { decideNext } from "../run/decide-next.ts";
export { newRun } from "../run/new-run.ts";
export { type Ending, endRun } from "./conclude.ts";
export { type Charts, driveCharts, type Position } from "./drive-charts.ts";
export {
  type DurableAnswer,
  type DurableContext,
  type DurableRun,
  type DurableSetup,
  durableBy,
} from "./durable-by.ts";
export type { RecordedStart } from "./recorded-run.ts";
export { openSession, type Session, type SessionSetup } from "./session.ts";
export { pending, report, restore, type Step, type StepState, send, start } from "./step.ts";
export { toMermaid } from "./to-mermaid.ts";
