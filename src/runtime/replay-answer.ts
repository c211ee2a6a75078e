import type { RunMemory } from "../effects/run-memory.ts";
import type { Chosen } from "../model/chosen.ts";
import { clamp } from "../model/clamp.ts";
import type { Answer, AnsweredEffect, Effect, EffectInput } from "../model/effect.ts";
import { type Escalation, noEscalation } from "../model/escalation.ts";
import type { Denial, RunLimits } from "../model/limits.ts";
import { type DeniedAct, nameOfAct } from "../model/permissions.ts";
import type { Answered, TimedRunRecord } from "../model/record.ts";
import { attemptOf, type Reply } from "../model/reply.ts";
import { at, type RunState } from "../model/run-state.ts";
import { wholeOf } from "../model/task-id.ts";
import { claimOf } from "../parse/claim-of.ts";
import { checkBudget } from "../recover/check-budget.ts";
import { checkDirective } from "../recover/check-directive.ts";
import { judgeReview } from "../recover/judge-review.ts";
import { madeForIn, type RecordedAttempt, recordedAttempt, roleIn } from "./recorded-attempt.ts";
import { digestDecisions, failureIn } from "./replay-failure.ts";
import { judgementDecisions } from "./replay-judgement.ts";
import type { Decision } from "./replayed.ts";

type TimedAnswer = Extract<TimedRunRecord, { type: "answered" }>;

/**
 * The decisions in an answer that pure services have taken from what is recorded, taken again.
 *
 * @param memory Of the run, without this record.
 */
export function answerDecisions(asked: Effect, record: TimedAnswer, memory: RunMemory): Decision[] {
  const { name, input, answer } = { ...asked, answer: record.answer } as AnsweredEffect;
  const key = attemptOf(asked.key);
  const { state } = memory;
  const attempt = recordedAttempt(state, key, record);
  if (answer.kind === "denied") {
    // Which limit of a pull request is reached shows only in a look, which is not recorded.
    return name === "readPullRequest" ? [] : denialDecisions(asked, answer, memory);
  }
  switch (name) {
    case "chooseTask":
      return standingDecisions(answer, memory);
    case "delegate": {
      const { task } = input;
      if (attempt.reply === null) return [];
      const role = roleIn(state, task);
      const asks = role !== undefined && wholeOf(task) === null && claimOf(attempt.reply, role).request.kind !== "none";
      return [
        { what: "whether a reply asks for tasks", expected: asks ? "requested" : "replied", recorded: answer.kind },
      ];
    }
    case "changePlan": {
      const planned = memory.planned(key);
      if (planned === null || (answer.kind !== "replanned" && answer.kind !== "extended")) return [];
      const { change, added } = answer;
      const expected = { change: planned.type, added: planned.change.tasks.map(({ id }) => id) };
      return [{ what: "the change of the plan", expected, recorded: { change, added } }];
    }
    case "verify":
      return verdictDecisions(input, answer, attempt, state);
    case "review":
      return answer.kind === "gate" || record.review === undefined ? [] : reviewDecisions(record.review, answer);
    case "readFailure": {
      const { task } = input;
      const { denied } = answer;
      if (denied !== undefined) return attempt.reply === null ? [] : [deniedDecision(denied, attempt.reply)];
      const failure = failureIn(task, attempt, roleIn(state, task), record.at);
      return failure === null ? [] : digestDecisions(failure, answer, attempt);
    }
    case "insertFix":
      return [
        { what: "the fix task that is written", expected: at(state.turn.fixes, key)?.id ?? null, recorded: answer.fix },
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
    case "addPullRequestTask": {
      if (answer.kind !== "inserted") return [];
      const expected = state.turn.addition?.change.tasks[0]?.id ?? null;
      return [{ what: "the task that is added", expected, recorded: answer.task }];
    }
    case "adoptHead":
    case "answerThread":
    case "askPerson":
    case "awaitChange":
    case "awaitTime":
    case "chooseCleanup":
    case "confirmCompletion":
    case "confirmPullRequest":
    case "gatherParts":
    case "mergeProgress":
    case "openPullRequest":
    case "pushBranch":
    case "readPullRequest":
    case "rerunCheck":
    case "updateBranch":
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
function denialDecisions({ input }: Effect, { limit, task, max }: Denial, memory: RunMemory): Decision[] {
  const { limits, task: asked } = input as { readonly limits: RunLimits; readonly task: string };
  const recorded = { limit, task, max };
  if (limit !== "maxGlobalIterations") {
    const expected = { limit, task: asked, max: (limits as Partial<Record<string, number | null>>)[limit] };
    return [{ what: "the limit that denies", expected, recorded }];
  }
  const denial = checkBudget(memory.ledger, { ...limits, maxRunTime: null, maxCost: null, maxTokens: null });
  const expected = denial && { limit: denial.limit, task: asked, max: denial.max };
  return [{ what: "the limit that denies", expected, recorded }];
}

/** What chosen trees have spent, how far up their ladders they are, and what was advised for them. */
function standingDecisions(answer: Answer<"chooseTask">, memory: RunMemory): Decision[] {
  const alone: readonly Chosen[] = answer.kind === "task" ? [answer] : [];
  const chosen = answer.kind === "batch" ? answer.members : alone;
  return chosen.map(
    ({ root, current, spent, repaired, question, escalation = noEscalation, guidance = null, repairs = [] }) => ({
      what: `where task ${root} stands`,
      expected: {
        ...{ spent: memory.spent(root), escalation: memory.escalation(root) },
        ...{ guidance: memory.guidance(root), repairs: memory.repairs(root) },
        // Older records do not say these.
        ...(repaired === true && { repaired: memory.isRepaired(current) }),
        ...(question !== undefined && { question: memory.openQuestion(current) }),
      },
      recorded: {
        ...{ spent, escalation: knownIn(escalation), guidance, repairs },
        ...(repaired === true && { repaired }),
        ...(question !== undefined && { question }),
      },
    }),
  );
}

/** What this version keeps of it: older records may hold more. */
const knownIn = (escalation: Escalation) =>
  Object.fromEntries(Object.entries(escalation).filter(([field]) => Object.hasOwn(noEscalation, field)));

/** The answer to a claim follows from the judgement, and that from its evidence. */
function verdictDecisions(
  { task, requireCommit }: EffectInput<"verify">,
  answer: Answer<"verify">,
  attempt: RecordedAttempt,
  state: RunState,
): Decision[] {
  const { judgement } = attempt;
  if (judgement === null) return [];
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
  const role = roleIn(state, task);
  return [
    ...judgementDecisions({ task, attempt, judgement, role, requireCommit, madeFor: madeForIn(state, task) }),
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
