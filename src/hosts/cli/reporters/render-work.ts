import type { RunEvent } from "../../../model/event.ts";
import { renderDuration } from "../../../wording/render-time.ts";
import type { TreeRow, Work } from "./tree-row.ts";

/** How long each stage of an attempt may take, in milliseconds. */
export type WorkLimits = Partial<Record<Work["stage"], number>>;

/** What the time of work is told from. */
export interface WorkTime {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly limits: WorkLimits;
}

export const limitsIn = ({ policy }: Extract<RunEvent, { type: "run.started" }>): WorkLimits => ({
  work: policy.taskTimeout,
  verify: policy.verifyTimeout,
});

/** What somebody is doing on a task: `attempt 1 · 0:14 of 30m · Bash npm test`. */
export function renderWork({ note, work }: Pick<TreeRow, "note" | "work">, { now, limits }: WorkTime): string {
  if (work === null) return note;
  const { stage, since, act } = work;
  const limit = limits[stage];
  const time = `${renderClock(now - since)}${limit === undefined ? "" : ` of ${renderDuration(limit)}`}`;
  return [note, stage === "verify" ? `Verify ${time}` : time, ...(act === "" ? [] : [act])].join(" · ");
}

/** Time that has gone by as a clock shows it: `0:14`, `1:02:03`. Of one that was set back none has. */
function renderClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...rest] = parts[0] === 0 ? parts.slice(1) : parts;
  return [first, ...rest.map((part) => String(part).padStart(2, "0"))].join(":");
}
