import { renderDuration } from "../../../wording/render-time.ts";
import type { Moment, TaskMark } from "../moment.ts";

/** What stands before a task, and is said of it. */
export const signs: Readonly<Record<TaskMark, readonly [sign: string, word: string]>> = {
  open: ["○", "open"],
  running: ["●", "under way"],
  waiting: ["…", "waits for its executor"],
  asking: ["?", "waits for a person"],
  failed: ["✗", "failed"],
  passed: ["✓", "passed"],
  skipped: ["–", "left out"],
  superseded: ["⤳", "another fix has taken its place"],
};

/** How a run stands, as a heading. */
export function headlineOf({ ending, state, lanes, task, asked }: Moment): readonly [kind: string, text: string] {
  if (ending === "complete") return ["good", "Complete: every task is done"];
  if (ending === "skipped") return ["good", "Done, but for what was left out"];
  if (ending === "limit") return ["bad", "Stopped at a limit"];
  if (ending === "checkpoint") return ["ask", "Stuck: stopped at a checkpoint, a person decides"];
  if (ending === "gate") return ["ask", "Stopped with a question to a person"];
  if (ending === "environment") return ["bad", "Stopped: its surroundings are out of order"];
  if (ending === "killed") return ["bad", "The coordinator was killed; the next start goes on"];
  if (ending !== null) return ["quiet", "Stopped; it can be continued"];
  if (asked[0] !== undefined) return ["ask", `${asked[0]} waits for a person`];
  if (state.paused) return ["ask", "Paused: nothing more begins"];
  const batch = lanes.filter(({ path }) => /^batch\/[^/]+$/.test(path));
  if (batch.length > 1)
    return ["work", `${batch.length} tasks side by side: ${batch.map((lane) => lane.task).join(", ")}`];
  const at = lanes.findLast((lane) => lane.machine === "task");
  if (at !== undefined) return ["work", `${at.task ?? task ?? ""}: ${stateWords[at.state] ?? at.state}`];
  return ["work", lanes.length === 0 ? "Starting" : (stateWords[lanes[0]?.state ?? ""] ?? "At work")];
}

const stateWords: Readonly<Record<string, string>> = {
  delegating: "an executor works on it",
  verifying: "the claim is checked",
  parsing: "what went wrong is read",
  checkingLimit: "the next step is decided",
  insertingFix: "a fix task is written",
  repairing: "the repair operator is asked",
  reviewing: "a reviewer looks at it",
  recordingPass: "accepted, its box is ticked",
  waiting: "its executor cannot work yet",
  askingPerson: "a person is asked",
  atCheckpoint: "stuck, a person is asked",
  reporting: "stuck, the report is written",
  choosing: "the next task is chosen",
  confirming: "the final check",
};

export const money = (usd: number): string => (usd === 0 ? "" : `$${usd.toFixed(2)}`);
export const clock = (at: number): string => new Date(at).toISOString().slice(11, 19);
export const timeAt = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
export const lasted = (ms: number): string => renderDuration(Math.round(ms));
export const counted = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;
