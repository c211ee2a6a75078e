import { clamp } from "../model/clamp.ts";
import { type Answer, type AnsweredEffect, checkAnswer, type Effect, type EffectInput } from "../model/effect.ts";
import { InputError } from "../model/errors.ts";
import { madeForOf } from "../model/failure.ts";
import type { FixTask } from "../model/fix-task.ts";
import type { Judgement } from "../model/judgement.ts";
import { noLimits } from "../model/limits.ts";
import type { Answered } from "../model/record.ts";
import { attemptOf, type Reply } from "../model/reply.ts";
import { type AdvisoryRole, advisoryRoles, roles } from "../model/role.ts";
import type { AttemptFacts } from "../ports/attempt-record.ts";
import type { Attempts } from "../ports/attempts.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Remember what somebody else has answered to an effect, with what can be told from it: later effects find what they
 * would find after one of ours.
 *
 * @throws {InputError} `answer-malformed`, `reply-missing`
 */
export function rememberAnswer({ attempts, clock, plan }: WholePorts, effect: Effect, given: unknown): void {
  const answered = { ...effect, answer: checkAnswer(effect, given) } as AnsweredEffect;
  const { name, key, answer } = answered;
  const reply = "reply" in answer ? (answer.reply as Reply | undefined) : undefined;
  if (reply === undefined && isAttempt(answered) && !attempts.knows(attemptOf(key))) {
    throw new InputError(`Cannot take the answer to \`${key}\`, expected the reply of the attempt in it`, {
      code: "reply-missing",
      hint: `Answer { kind: "${answer.kind}", reply: { text } } with the final message of whoever worked on the task`,
    });
  }
  beginWork(attempts, answered);
  const { reply: _, ...told } = { reply, ...answer };
  const record = { type: "answered", effect: name, key, answer: told } as Answered;
  attempts.record([record], { facts: factsIn(answered, reply), at: clock.now() });
  if (name === "insertFix" || name === "changePlan") plan.trust([]);
  if (name === "recordPass") plan.trust([answered.input.task]);
}

/** Whether later effects need the reply that it came with. */
const isAttempt = ({ answer }: AnsweredEffect): boolean => ["replied", "requested", "gathered"].includes(answer.kind);

/** What one of ours records before it begins. The limits of the whole run were asked by whoever has answered. */
function beginWork(attempts: Attempts, { name, key, input, answer }: AnsweredEffect): void {
  if (answer.kind === "denied") return;
  if (name === "insertFix" && answer.kind === "inserted")
    void attempts.intend(attemptOf(key), fixIn(input, answer.fix));
  const begun = { task: "", title: "", executor: 0, retries: 0 };
  if (name === "delegate") {
    const { task, attempt, retries, climb, remedy } = input;
    const more = { ...(climb !== null && { level: climb.level }), ...(remedy !== null && { rung: remedy }) };
    void attempts.admit({ ...begun, key: attemptOf(key), task, role: "executor", attempt, retries, ...more }, noLimits);
  }
  if (name === "review" || name === "askOperator") {
    const role = advisoryRoles.find((each) => roles[each].askedBy === name) as AdvisoryRole;
    void attempts.admit({ ...begun, key, task: input.task, role, attempt: input.round }, noLimits);
  }
}

/** What an answer tells beside itself. */
function factsIn(answered: AnsweredEffect, reply: Reply | undefined): AttemptFacts {
  const { name, input, answer } = answered;
  if (reply !== undefined) return { reply: { reply, headBefore: null, mark: null, fileState: null } };
  if (name === "verify" && answer.kind !== "gate" && answer.kind !== "blocked") {
    return { judgement: judgementIn(answer) };
  }
  if (name === "review" && (answer.kind === "failed" || answer.kind === "accepted")) {
    const isPassed = answer.kind === "accepted" && answer.passed;
    const [code, spec] = answer.kind === "failed" ? [answer.findings, ""] : ["", answer.findings];
    return { review: { verdict: isPassed ? "pass" : "fail", code, spec, round: input.round } };
  }
  return {};
}

/** The verdict of whoever has judged, as far as it is told. */
function judgementIn(answer: Extract<Answer<"verify">, { kind: "accepted" | "rejected" | "failed" }>): Judgement {
  const { kind } = answer;
  const accepted = answer.kind === "accepted";
  const layer: Judgement["layers"][number] = accepted
    ? { layer: "verify", kind }
    : { layer: answer.layer, kind, reason: answer.reason };
  return { kind, layers: [layer], evidence: nothingSeen };
}

const nothingSeen: Judgement["evidence"] = {
  signal: null,
  contradiction: null,
  exitCode: 0,
  ended: "exit",
  ticked: { set: [], cleared: [] },
  git: null,
  undeclared: [],
  verify: null,
  reality: null,
};

/** A fix task that stands in the plan already: its own text is there. */
function fixIn({ fixOf, failure, supersedes }: EffectInput<"insertFix">, id: string): FixTask {
  const { error, attemptedFix } = failure;
  const text = { summary: clamp(error, 50), error, attemptedFix, doneWhen: "", files: "", verify: null, commit: "" };
  return { id, fixOf, ...text, madeFor: madeForOf(failure), ...(supersedes !== null && { supersedes }) };
}
