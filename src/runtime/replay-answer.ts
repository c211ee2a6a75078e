import type { RunMemory } from "../effects/run-memory.ts";
import type { Chosen } from "../model/chosen.ts";
import { clamp } from "../model/clamp.ts";
import type { Effect, EffectInput } from "../model/effect.ts";
import { type Escalation, noEscalation } from "../model/escalation.ts";
import type { FailureDigest } from "../model/failure.ts";
import type { Denial, RunLimits } from "../model/limits.ts";
import { wholeOf } from "../model/part-id.ts";
import { type DeniedAct, nameOfAct } from "../model/permissions.ts";
import type { TimedRunRecord } from "../model/record.ts";
import { attemptOf, type Reply } from "../model/reply.ts";
import { claimOf } from "../parse/claim-of.ts";
import { checkBudget } from "../recover/check-budget.ts";
import { checkDirective } from "../recover/check-directive.ts";
import { judgeReview } from "../recover/judge-review.ts";
import type { Evidence } from "./replay-evidence.ts";
import { digestDecisions, failureIn } from "./replay-failure.ts";
import { judgementDecisions } from "./replay-judgement.ts";
import type { Decision } from "./replayed.ts";

type Answered = Extract<TimedRunRecord, { type: "answered" }>;

/** What a recorded answer can be compared with. */
export interface Knowledge {
  readonly evidence: Evidence;
  /** Of the whole run, without this record; null where only its last turn is looked at. */
  readonly memory: RunMemory | null;
}

/** The decisions in an answer that pure services have taken from what is recorded, taken again. */
export function answerDecisions(effect: Effect, record: Answered, { evidence, memory }: Knowledge): Decision[] {
  const answer = record.answer as { readonly kind?: string };
  const key = attemptOf(effect.key);
  const attempt = evidence.attempt(key);
  if (answer.kind === "denied") return denialDecisions(effect, answer as Denial, memory);
  switch (effect.name) {
    case "chooseTask":
      return memory === null ? [] : standingDecisions(answer, memory);
    case "delegate": {
      const { task } = effect.input;
      if (attempt.reply === null) return [];
      const role = evidence.roleOf(task);
      const asks = role !== undefined && wholeOf(task) === null && claimOf(attempt.reply, role).request.kind !== "none";
      return [
        { what: "whether a reply asks for tasks", expected: asks ? "requested" : "replied", recorded: answer.kind },
      ];
    }
    case "changePlan": {
      const { change, added } = answer as { readonly change?: string; readonly added?: readonly string[] };
      const planned = evidence.planned(key);
      if (planned === undefined || change === undefined) return [];
      const expected = { change: planned.change, added: planned.plan.tasks.map(({ id }) => id) };
      return [{ what: "the change of the plan", expected, recorded: { change, added } }];
    }
    case "verify":
      return verdictDecisions(effect.input, record, evidence);
    case "review":
      return answer.kind === "gate" || record.review === undefined ? [] : reviewDecisions(record.review, answer);
    case "readFailure": {
      const { task } = effect.input;
      const { denied } = answer as FailureDigest;
      if (denied !== undefined) return attempt.reply === null ? [] : [deniedDecision(denied, attempt.reply)];
      const failure = failureIn(task, attempt, evidence.roleOf(task), record.at);
      return failure === null ? [] : digestDecisions(failure, answer, attempt.reply !== null);
    }
    case "insertFix": {
      const recorded = (answer as { readonly fix?: string }).fix;
      return [{ what: "the fix task that is written", expected: evidence.fixFor(key)?.id ?? null, recorded }];
    }
    case "askOperator": {
      const { directive } = answer as { readonly directive?: Parameters<typeof checkDirective>[0]["directive"] };
      if (directive === undefined) return [];
      const { task: id, repairs } = effect.input;
      const refusal = checkDirective({ directive, task: { id, title: "", do: undefined }, repairs });
      return [{ what: "whether a directive may be followed", expected: refusal, recorded: null }];
    }
    case "recordSkip": {
      const { task, justification } = effect.input;
      const expected = wholeOf(task) === null ? { root: task, justification } : null;
      const { skipped = null } = answer as { readonly skipped?: unknown };
      return [{ what: "what is left out", expected, recorded: skipped }];
    }
    case "recordPass": {
      const { open = false } = answer as { readonly open?: boolean };
      const expected = effect.input.keepOpen && wholeOf(effect.input.task) === null;
      return [{ what: "whether a box stays open", expected, recorded: open }];
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
function standingDecisions(answer: object, memory: RunMemory): Decision[] {
  const { members, root } = answer as { readonly members?: readonly Chosen[]; readonly root?: string };
  const chosen = members ?? (root === undefined ? [] : [answer as Chosen]);
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
function verdictDecisions({ key, task, requireCommit }: EffectInput<"verify">, record: Answered, evidence: Evidence) {
  const { judgement } = record;
  if (judgement === undefined) return [];
  const attempt = {
    ...evidence.attempt(attemptOf(key)),
    ...(record.verify !== undefined && { verify: record.verify }),
  };
  const { kind, layer, reason = "" } = record.answer as { kind: string; layer?: string; reason?: string };
  const decisive = judgement.layers.find((each) => each.kind === judgement.kind);
  const isTold = judgement.kind === "failed" || judgement.kind === "rejected";
  const expected = isTold
    ? { kind: judgement.kind, layer: decisive?.layer, reason: decisive?.reason }
    : { kind: judgement.kind === "accepted" ? "accepted" : decisive?.layer === "signal" ? "blocked" : "gate" };
  const recorded = isTold ? { kind, layer, reason: clamp(reason, maxReason) } : { kind };
  const role = evidence.roleOf(task);
  return [
    ...judgementDecisions({ task, attempt, judgement, role, requireCommit, madeFor: evidence.madeFor(task) }),
    { what: "what follows from the verdict", expected, recorded },
  ];
}

/** Code points of a reason that are recorded with a judgement. */
const maxReason = 500;

function reviewDecisions(review: NonNullable<Answered["review"]>, recorded: unknown): Decision[] {
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
