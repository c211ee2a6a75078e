import type { RunMemory } from "../effects/run-memory.ts";
import type { Chosen } from "../model/chosen.ts";
import { clamp } from "../model/clamp.ts";
import type { Answer, AnsweredEffect, Effect, EffectInput } from "../model/effect.ts";
import { type Escalation, noEscalation } from "../model/escalation.ts";
import type { Denial, RunLimits } from "../model/limits.ts";
import { wholeOf } from "../model/part-id.ts";
import { type DeniedAct, nameOfAct } from "../model/permissions.ts";
import type { Answered, TimedRunRecord } from "../model/record.ts";
import { attemptOf, type Reply } from "../model/reply.ts";
import { claimOf } from "../parse/claim-of.ts";
import { checkBudget } from "../recover/check-budget.ts";
import { checkDirective } from "../recover/check-directive.ts";
import { judgeReview } from "../recover/judge-review.ts";
import type { Evidence } from "./replay-evidence.ts";
import { digestDecisions, failureIn } from "./replay-failure.ts";
import { judgementDecisions } from "./replay-judgement.ts";
import type { Decision } from "./replayed.ts";

type TimedAnswer = Extract<TimedRunRecord, { type: "answered" }>;

/** What a recorded answer can be compared with. */
export interface Knowledge {
  readonly evidence: Evidence;
  /** Of the whole run, without this record; null where only its last turn is looked at. */
  readonly memory: RunMemory | null;
}

/** The decisions in an answer that pure services have taken from what is recorded, taken again. */
export function answerDecisions(asked: Effect, record: TimedAnswer, { evidence, memory }: Knowledge): Decision[] {
  const { name, input, answer } = { ...asked, answer: record.answer } as AnsweredEffect;
  const key = attemptOf(asked.key);
  const attempt = evidence.attempt(key);
  if (answer.kind === "denied") return denialDecisions(asked, answer, memory);
  switch (name) {
    case "chooseTask":
      return memory === null ? [] : standingDecisions(answer, memory);
    case "delegate": {
      const { task } = input;
      if (attempt.reply === null) return [];
      const role = evidence.roleOf(task);
      const asks = role !== undefined && wholeOf(task) === null && claimOf(attempt.reply, role).request.kind !== "none";
      return [
        { what: "whether a reply asks for tasks", expected: asks ? "requested" : "replied", recorded: answer.kind },
      ];
    }
    case "changePlan": {
      const planned = evidence.planned(key);
      if (planned === undefined || (answer.kind !== "replanned" && answer.kind !== "extended")) return [];
      const { change, added } = answer;
      const expected = { change: planned.change, added: planned.plan.tasks.map(({ id }) => id) };
      return [{ what: "the change of the plan", expected, recorded: { change, added } }];
    }
    case "verify":
      return verdictDecisions(input, answer, record, evidence);
    case "review":
      return answer.kind === "gate" || record.review === undefined ? [] : reviewDecisions(record.review, answer);
    case "readFailure": {
      const { task } = input;
      const { denied } = answer;
      if (denied !== undefined) return attempt.reply === null ? [] : [deniedDecision(denied, attempt.reply)];
      const failure = failureIn(task, attempt, evidence.roleOf(task), record.at);
      return failure === null ? [] : digestDecisions(failure, answer, attempt.reply !== null);
    }
    case "insertFix":
      return [
        { what: "the fix task that is written", expected: evidence.fixFor(key)?.id ?? null, recorded: answer.fix },
      ];
    case "askOperator": {
      if (answer.kind !== "directed") return [];
      const { task: id, repairs } = input;
      const refusal = checkDirective({ directive: answer.directive, task: { id, title: "", do: undefined }, repairs });
      return [{ what: "whether a directive may be followed", expected: refusal, recorded: null }];
    }
    case "recordSkip": {
      const { task, justification } = input;
      const expected = wholeOf(task) === null ? { root: task, justification } : null;
      return [{ what: "what is left out", expected, recorded: answer.skipped ?? null }];
    }
    case "recordPass": {
      const expected = input.keepOpen && wholeOf(input.task) === null;
      return [{ what: "whether a box stays open", expected, recorded: answer.open ?? false }];
    }
    case "askPerson":
    case "chooseCleanup":
    case "confirmCompletion":
    case "gatherParts":
    case "mergeProgress":
    case "wait":
    case "writeStuckReport":
      return [];
  }
}

/** A person is asked about an act that the tool has reported. */
const deniedDecision = (denied: DeniedAct, { denials = [] }: Pick<Reply, "denials">): Decision => ({
  what: "what a tool did not allow",
  expected: denials.find((each) => nameOfAct(each) === nameOfAct(denied)) ?? null,
  recorded: denied,
});

/** Of what time and money have denied only the limit itself can be compared. */
function denialDecisions({ input }: Effect, { limit, task, max }: Denial, memory: RunMemory | null): Decision[] {
  const { limits, task: asked } = input as { readonly limits: RunLimits; readonly task: string };
  const recorded = { limit, task, max };
  if (limit !== "maxGlobalIterations") {
    const expected = { limit, task: asked, max: (limits as Partial<Record<string, number | null>>)[limit] };
    return [{ what: "the limit that denies", expected, recorded }];
  }
  if (memory === null) return [];
  const denial = checkBudget(memory.ledger, { ...limits, maxRunTime: null, maxCost: null, maxTokens: null });
  const expected = denial && { limit: denial.limit, task: asked, max: denial.max };
  return [{ what: "the limit that denies", expected, recorded }];
}

/** What chosen trees have spent, how far up their ladders they are, and what was advised for them. */
function standingDecisions(answer: Answer<"chooseTask">, memory: RunMemory): Decision[] {
  const alone: readonly Chosen[] = answer.kind === "task" ? [answer] : [];
  const chosen = answer.kind === "batch" ? answer.members : alone;
  return chosen.map(({ root: task, spent, escalation = noEscalation, guidance = null, repairs = [] }) => ({
    what: `where task ${task} stands`,
    expected: {
      spent: memory.spent(task),
      escalation: memory.escalation(task),
      guidance: memory.guidance(task),
      repairs: memory.repairs(task),
    },
    recorded: { spent, escalation: knownIn(escalation), guidance, repairs },
  }));
}

/** What this version keeps of it: older records may hold more. */
const knownIn = (escalation: Escalation) =>
  Object.fromEntries(Object.entries(escalation).filter(([field]) => Object.hasOwn(noEscalation, field)));

/** The answer to a claim follows from the judgement, and that from its evidence. */
function verdictDecisions(
  { key, task, requireCommit }: EffectInput<"verify">,
  answer: Answer<"verify">,
  record: Pick<Answered, "verify" | "judgement">,
  evidence: Evidence,
): Decision[] {
  const { judgement } = record;
  if (judgement === undefined) return [];
  const attempt = {
    ...evidence.attempt(attemptOf(key)),
    ...(record.verify !== undefined && { verify: record.verify }),
  };
  const { kind } = answer;
  const decisive = judgement.layers.find((each) => each.kind === judgement.kind);
  const isTold = judgement.kind === "failed" || judgement.kind === "rejected";
  const expected = isTold
    ? { kind: judgement.kind, layer: decisive?.layer, reason: decisive?.reason }
    : { kind: judgement.kind === "accepted" ? "accepted" : decisive?.layer === "signal" ? "blocked" : "gate" };
  const recorded =
    isTold && (answer.kind === "failed" || answer.kind === "rejected")
      ? { kind, layer: answer.layer, reason: clamp(answer.reason, maxReason) }
      : { kind };
  const role = evidence.roleOf(task);
  return [
    ...judgementDecisions({ task, attempt, judgement, role, requireCommit, madeFor: evidence.madeFor(task) }),
    { what: "what follows from the verdict", expected, recorded },
  ];
}

/** Code points of a reason that are recorded with a judgement. */
const maxReason = 500;

function reviewDecisions(review: NonNullable<Answered["review"]>, recorded: Answer<"review">): Decision[] {
  const { usage: _usage, ...found } = review;
  const findings = [found.code, found.spec].filter((text) => text !== "").join("\n");
  const passed = found.verdict === "pass";
  const none = passed ? "" : "the reviewer gave no verdict";
  const expected =
    judgeReview(found).kind === "failed"
      ? { kind: "failed", findings }
      : { kind: "accepted", passed, findings: findings || none };
  return [{ what: "what follows from a review", expected, recorded }];
}
