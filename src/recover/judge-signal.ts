import type { CompletionEvidence, Finding } from "../model/evidence.ts";
import { roleOf } from "../model/task.ts";
import { clamp } from "../model/text.ts";
import { lastLine } from "./classify-failure.ts";
import { rulesOf } from "./rules.ts";

const maxQuoted = 200;

/**
 * Whether an executor ended normally. If its tool reports a problem, the executor must also have reported on the task.
 */
export const endedWell = ({ reply, signal }: Pick<CompletionEvidence, "reply" | "signal">): boolean => {
  const { exitCode = 0, ended = "exit", problem } = reply;
  return ended === "exit" && exitCode === 0 && (problem === undefined || signal !== null);
};

/** Judge the signal of the final message. Reasons for a rejection are addressed to the agent. */
export function judgeSignal(evidence: CompletionEvidence): Finding {
  const { task, signal, blocker, reply } = evidence;
  if (signal === "blocked") return { kind: "undecided", reason: blocker ?? "a person has to decide" };
  if (endedWell(evidence)) {
    if (signal === "complete") return { kind: "accepted" };
    if (signal === "misplaced") return { kind: "rejected", reason: wrongWord(task) };
    if (signal === null && !rulesOf(evidence).wordsDecide) return { kind: "rejected", reason: noSignal(evidence) };
    return { kind: "failed", reason: signal === null ? "no completion signal" : "failure reported" };
  }
  const { exitCode = 0, ended = "exit" } = reply;
  const how = ended === "exit" ? `exit ${exitCode}` : `ended by ${ended}`;
  return { kind: "failed", reason: `${signal === null ? "no completion signal" : claimed[signal]} (${how})` };
}

const claimed = {
  complete: "completion claimed",
  misplaced: "completion claimed with the signal of another role",
  failed: "failure reported",
};

/** Name the signal of the wrong role, and the required signal. */
const wrongWord = (task: CompletionEvidence["task"]): string =>
  roleOf(task) === "verifier"
    ? "said TASK_COMPLETE; the verifier of a [VERIFY] task says VERIFICATION_PASS"
    : "said VERIFICATION_PASS; the executor of a task must say TASK_COMPLETE";

const ownWord = (task: CompletionEvidence["task"]): string =>
  roleOf(task) === "verifier" ? "VERIFICATION_PASS" : "TASK_COMPLETE";

function noSignal({ task, reply }: CompletionEvidence): string {
  if (reply.claim !== undefined) return "you did not report the task as complete";
  const word = ownWord(task);
  const last = lastLine(reply.text.replace(/^[^\p{L}\p{N}\r\n]+$/gmu, ""));
  const left = (reply.leftBehind ?? 0) > 0 ? "; your background processes were stopped when you ended" : "";
  if (last === null) return `your last message is empty, without a line ${word}${left}`;
  const quoted = `"${clamp(last, maxQuoted)}"`;
  return /\?[\s"'*_`)]{0,9}$/.test(last)
    ? `nobody reads your question ${quoted}: decide, or write BLOCKED: and the question${left}`
    : `your last message has no line ${word}; it ended with ${quoted}${left}`;
}

/** Judge a reported failure with a green Verify. @param isProven Whether Verify proves the work. */
export function judgeReported({ task, reply, rejections = 0 }: CompletionEvidence, isProven: boolean): Finding {
  if (rejections === 0) {
    return {
      kind: "rejected",
      reason: `you reported a failure, but Verify passes: say what is missing, or ${reply.claim === undefined ? `end with a line ${ownWord(task)}` : "report the task as complete"}`,
    };
  }
  return isProven
    ? { kind: "accepted", note: "failure reported again, although Verify has proven the work" }
    : { kind: "failed", reason: "failure reported" };
}

/** Judge whether a message claims success and also admits unfinished work. */
export const judgeContradiction = ({ task, signal, contradiction }: CompletionEvidence): Finding =>
  contradiction === null || signal !== "complete"
    ? { kind: "accepted" }
    : { kind: "rejected", reason: `you said ${ownWord(task)} and: "${clamp(contradiction, maxQuoted)}"` };
