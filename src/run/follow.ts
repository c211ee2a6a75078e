import type { Answer } from "../model/effect.ts";
import { type Answered, isWritten, type RunRecord } from "../model/record.ts";
import { attemptOf, isServiceKind, taskOf } from "../model/reply.ts";
import { worksOnTasks } from "../model/role.ts";
import { at, type RunState } from "../model/run-state.ts";
import type { ClaimStage } from "../model/turn.ts";

/**
 * Records that a start writes before its first turn. If the start is killed before its first turn, the next start reads
 * the person's input again.
 */
const silent: ReadonlySet<RunRecord["type"]> = new Set([
  "left",
  "skipped",
  "takenUp",
  "advised",
  "guided",
  "released",
  "unheard",
  "flushed",
  "planSeen",
]);

/** Whether a record supersedes the outcome of the previous start, or reports an outcome. */
export const reportsEnd = ({ type }: Pick<RunRecord, "type">): boolean => !silent.has(type);

/** Records that a start writes only when it abandons a turn. */
const marks: ReadonlySet<RunRecord["type"]> = new Set([
  ...(["left", "reset", "refunded", "passed", "mended", "dropped", "withdrawn"] as const),
]);

export const leavesTurn = ({ type }: Pick<RunRecord, "type">): boolean => marks.has(type);

/** Track how far a start and its turn have come, so that the next start can resume. */
export function follow(state: RunState, record: RunRecord & { readonly at?: number }): void {
  const { turn } = state;
  if (reportsEnd(record)) state.ended = record.type === "ended" ? record : null;
  if (leavesTurn(record)) turn.left = true;
  switch (record.type) {
    case "delegated":
      state.worked = true;
      turn.unanswered[record.key] = true;
      // Forget an earlier handout: the repeated delegation may go to another executor.
      delete turn.handedOut[record.key];
      if (worksOnTasks(record.role)) state.outside = false;
      turn.atWork[record.task] = true;
      if (worksOnTasks(record.role)) turn.claims[record.key] = "begun";
      break;
    case "handedOut":
      state.outside = true;
      turn.handedOut[record.key] = { nonceHash: record.nonceHash, since: record.since };
      break;
    case "answered":
      followAnswer(state, record);
      break;
    case "refunded":
      turn.claims[record.key] = "refunded";
      break;
    case "passed":
      turn.claims[record.key] = "passed";
      break;
    case "mended":
      turn.mended = record.passes.map(({ key }) => taskOf(key));
      break;
    // Forget the fix task, since a later fix task may reuse its id.
    case "dropped":
      for (const [key, { id }] of Object.entries(turn.fixes)) if (id === record.fix) delete turn.fixes[key];
      break;
    case "said":
      if (record.event.type === "pause") state.paused = true;
      if (record.event.type === "resume") state.paused = false;
      break;
    case "ended":
      state.worked = false;
      state.paused = false;
      if (record.ending.outcome === "limit") turn.left = true;
      if (turn.asked?.ended === null) turn.asked = { ended: record };
      break;
    default:
      break;
  }
}

function followAnswer(state: RunState, record: Answered & { readonly at?: number }): void {
  const { turn } = state;
  const { key, effect, answer } = record;
  const attempt = attemptOf(key);
  const delegated = reportedBy(record);
  delete turn.unanswered[delegated];
  takeReport(state, delegated, record);
  // Delete a repeated question first, so that its key comes after the questions asked in between.
  delete turn.questions[key];
  const isAsked = answer.kind === "gate";
  turn.asked = isAsked ? { ended: null } : null;
  if (isAsked) turn.questions[key] = answer.reason;
  if (isAsked || endsWork(record)) delete turn.atWork[taskOf(key)];
  switch (effect) {
    case "delegate":
      if (answer.kind === "raced") turn.claims[attempt] = "judged";
      else if (answer.kind === "done") turn.claims[attempt] = "accepted";
      else if (at(turn.claims, attempt) === "begun") turn.claims[attempt] = "claimed";
      break;
    case "verify":
      state.worked = true;
      turn.claims[attempt] = stageOf(answer);
      break;
    case "review":
      if (answer.kind === "accepted") turn.claims[attempt] = "accepted";
      break;
    case "changePlan":
      if (answer.kind === "replanned") turn.claims[attempt] = "refunded";
      break;
    case "recordPass":
      turn.claims[attempt] = "passed";
      break;
    case "askPerson":
      if (answer.kind === "decided" && answer.decision === "stop") turn.stopped = key;
      break;
    case "chooseCleanup":
      turn.cleaning = true;
      break;
    default:
      break;
  }
  if (isWritten(record)) turn.written[key] = true;
}

/** Count the time from a handout to its report as working time. Overlapping handouts count once. */
function takeReport(state: RunState, key: string, record: Answered & { readonly at?: number }): void {
  const { turn } = state;
  if (!Object.hasOwn(turn.handedOut, key)) return;
  state.elapsedMs += timeOutside(state, record);
  delete turn.handedOut[key];
  for (const [other, { nonceHash, since }] of Object.entries(turn.handedOut)) {
    turn.handedOut[other] = { nonceHash, since: Math.max(since, record.at ?? 0) };
  }
}

/** Milliseconds from the handout to its report that are not counted yet; 0 for other records. */
export function timeOutside({ turn }: Pick<RunState, "turn">, record: RunRecord & { readonly at?: number }): number {
  if (record.type !== "answered") return 0;
  const since = at(turn.handedOut, reportedBy(record))?.since;
  return since === undefined ? 0 : Math.max(0, (record.at ?? since) - since);
}

/** Key of the delegation that an answer ends. */
const reportedBy = ({ key, effect }: Answered): string => (effect === "delegate" ? attemptOf(key) : key);

const stageOf = (answer: Answer<"verify">): ClaimStage =>
  answer.kind === "accepted" && answer.reviewDue !== true ? "accepted" : "judged";

/** Whether an answer ends the work on its task until the next delegation. */
function endsWork({ effect, answer }: Answered): boolean {
  if (effect === "readFailure") return !isServiceKind(answer.kind);
  const isTurnedDown = effect === "verify" && answer.kind === "rejected";
  const isReplanned = effect === "changePlan" && answer.kind === "replanned";
  return effect === "recordPass" || isTurnedDown || isReplanned;
}
