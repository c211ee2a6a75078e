import type { Proofs } from "../../../model/evidence.ts";
import { proofCounts } from "../../../wording/render-proofs.ts";
import { clockTime, renderDuration } from "../../../wording/render-time.ts";
import type { Moment, TaskMark } from "../moment.ts";
import type { ShownRun } from "../shown-run.ts";

export const signs: Readonly<Record<TaskMark, readonly [sign: string, word: string]>> = {
  open: ["○", "open"],
  running: ["●", "under way"],
  waiting: ["…", "waits for its executor"],
  asking: ["?", "waits for you"],
  failed: ["✗", "failed"],
  passed: ["✓", "passed"],
  doubtful: ["~", "passed"],
  before: ["✓", "done before the run or by hand"],
  skipped: ["–", "skipped"],
  superseded: ["⤳", "replaced by another fix"],
};

/** Kind of headline; `doubtful`: done, but not all of it verified. */
export type HeadKind = "work" | "good" | "doubtful" | "bad" | "ask" | "quiet";

export interface Headline {
  readonly kind: HeadKind;
  readonly state: string;
  readonly text: string;
}

/** @param done Number of done and of planned tasks, such as `2 of 5`. */
export function headlineOf(run: ShownRun, moment: Moment, proofs: Proofs, done: string): Headline {
  const { ending, state, lanes, asked } = moment;
  const head = (kind: HeadKind, short: string, more = ""): Headline => ({
    kind,
    state: short,
    text: `${short}${more}`,
  });
  const asking = run.questions.findLast((each) => each.moment <= moment.number);
  const at = ` at ${hour(moment.at)}`;
  const waiting = (what: string): Headline =>
    head("ask", "Waiting for you", ` since ${hour(asking?.at ?? moment.at)}: ${what}`);
  const shown = proofCounts(proofs).join(", ");
  const isDoubtful = proofs.unproven.length + proofs.unverified.length > 0;
  switch (ending) {
    case "complete":
      return head(isDoubtful ? "doubtful" : "good", "Complete", `: ${shown || "every task is done"}`);
    case "skipped":
      return head("doubtful", "Done", `, except for skipped tasks${shown === "" ? "" : `: ${shown}`}`);
    case "limit":
      return head("bad", "Stopped", `${at}: a limit is reached`);
    case "checkpoint":
      return waiting(`${asked[0] ?? "a task"} is stuck`);
    case "gate":
      return waiting(asked[0] === undefined ? "the run stopped with a question" : `a question about ${asked[0]}`);
    case "environment":
      return head("bad", "Stopped", `${at}: the environment has a problem`);
    case "killed":
      return head("bad", "Killed", `${at}: the next start resumes the run`);
    case null:
      break;
    default:
      return head("quiet", "Stopped", `${at}: the run can be continued`);
  }
  if (asked[0] !== undefined) return waiting(`a question about ${asked.join(", ")}`);
  if (state.paused) return head("ask", "Paused", ` since ${hour(moment.at)}: no more tasks begin`);
  if (run.head.run === 0) return head("quiet", "Not run yet");
  return { kind: "work", state: done, text: workOf(lanes, moment.task) };
}

function workOf(lanes: Moment["lanes"], task: string | null): string {
  const members = lanes.filter(({ path }) => /^batch\/[^/]+$/.test(path));
  if (members.length > 1) return `${members.length} tasks side by side: ${members.map((lane) => lane.task).join(", ")}`;
  const at = lanes.findLast((lane) => lane.machine === "task");
  if (at !== undefined) return `${at.task ?? task ?? ""}: ${stateWords[at.state] ?? at.state}`;
  return lanes.length === 0 ? "Starting" : (stateWords[lanes[0]?.state ?? ""] ?? "At work");
}

const stateWords: Readonly<Record<string, string>> = {
  delegating: "an executor works on it",
  verifying: "the claim is checked",
  parsing: "the failure is analysed",
  checkingLimit: "the next step is decided",
  insertingFix: "a fix task is written",
  repairing: "the repair operator is asked",
  reviewing: "a reviewer looks at it",
  recordingPass: "accepted, its box is ticked",
  waiting: "its executor cannot work yet",
  askingPerson: "a person is asked",
  atCheckpoint: "stuck, a person is asked",
  reporting: "stuck, writing the report",
  choosing: "the next task is chosen",
  confirming: "the final check",
};

export const money = (usd: number): string => (usd === 0 ? "" : `$${usd.toFixed(2)}`);
/** Render local time, with the date unless it is today. */
export const hour = (at: number): string => clockTime(at, Date.now());
export const clock = (at: number): string => timeAt(at).slice(11);
export const timeAt = (at: number): string => new Date(at).toLocaleString("sv");
export const lasted = (ms: number): string => renderDuration(Math.round(ms));
export const counted = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;
