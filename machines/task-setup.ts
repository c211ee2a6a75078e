import { assign, emit, setup } from "xstate";
import type { Effects } from "../src/effects/create-effects.ts";
import { detailOf } from "../src/model/directive.ts";
import type { Answer } from "../src/model/effect.ts";
import type { FailureDigest } from "../src/model/failure.ts";
import { attemptsOn } from "../src/model/ledger.ts";
import type { PersonEvent } from "../src/model/person-event.ts";
import type { EscalationRung, Rung } from "../src/model/rung.ts";
import { isServiceKind } from "../src/model/service-problem.ts";
import type { Rejection, TaskContext } from "../src/model/task-context.ts";
import { repairedBy, type TaskId, wholeOf } from "../src/model/task-id.ts";
import type { TaskOutcome } from "../src/model/task-outcome.ts";
import { deliberate } from "../src/recover/decide.ts";
import { afterFailure, afterPass, afterProgress } from "../src/recover/track-escalation.ts";
import { createRepairMachine, type RepairOutcome } from "./repair.ts";
import { socket } from "./socket.ts";
import { type TaskEmitted, taskEvents } from "./task-events.ts";
import type { TaskInput } from "./task-input.ts";
import * as moves from "./task-moves.ts";
import { decisionIn } from "./task-outcome.ts";
import { answers } from "./when.ts";

/**
 * What the chart of a task is made of: its effects, what it tells apart, and what it keeps.
 *
 * @internal
 */
export function taskSetup(effects: Effects | undefined) {
  return setup({
    types: {
      input: {} as TaskInput,
      context: {} as TaskContext,
      output: {} as TaskOutcome,
      events: {} as PersonEvent,
      emitted: {} as TaskEmitted,
      tags: {} as "busy" | "waiting" | "waitingForPerson" | "settled",
    },
    actors: {
      delegate: socket("delegate", effects),
      verify: socket("verify", effects),
      changePlan: socket("changePlan", effects),
      review: socket("review", effects),
      readFailure: socket("readFailure", effects),
      wait: socket("wait", effects),
      insertFix: socket("insertFix", effects),
      recordPass: socket("recordPass", effects),
      gatherParts: socket("gatherParts", effects),
      recordSkip: socket("recordSkip", effects),
      writeStuckReport: socket("writeStuckReport", effects),
      askPerson: socket("askPerson", effects),
      repair: createRepairMachine(effects),
    },
    guards: {
      ...answers("denied", "accepted", "rejected", "failed", "requested", "replanned", "extended", "refused"),
      ...answers("waited", "guided", "blocked"),
      reviewDue: (_, answer: Answer<"verify">) => answer.kind === "accepted" && answer.reviewDue === true,
      withheld: (_, answer: Answer<"verify">) => answer.kind === "rejected" && answer.withheld === true,
      replaced: (_, failure: FailureDigest) => failure.fallback === true,
      repeated: (_, failure: FailureDigest) => failure.repeated === true,
      hindered: (_, { kind }: FailureDigest) => isServiceKind(kind),
      toldToRetry: (_, { directive }: Directed) => directive.strategy === "retry",
      toldToDecompose: (_, { directive }: Directed) => directive.strategy === "decompose",
      toldToPrune: (_, { directive }: Directed) => directive.strategy === "prune",
      decidedRetry: (_, answer: Answer<"askPerson">) => saidBy(answer) === "retry",
      decidedSkip: (_, answer: Answer<"askPerson">) => saidBy(answer) === "skip",
      decidedSkipTask: (_, answer: Answer<"askPerson">) => saidBy(answer) === "skip-task",
      decidedStop: (_, answer: Answer<"askPerson">) => saidBy(answer) === "stop",
      saysRetry: ({ event }) => event.type === "decision.made" && event.decision === "retry",
      saysSkip: ({ event }) => event.type === "decision.made" && event.decision === "skip",
      saysSkipTask: ({ event }) => event.type === "decision.made" && event.decision === "skip-task",
      retryAllowed: ({ context }) => decisionIn(context).kind === "retry",
      fixAllowed: ({ context }) => decisionIn(context).kind === "fix",
      repairAllowed: ({ context }) => decisionIn(context).kind === "repair",
      pivotAllowed: ({ context }) => decisionIn(context).kind === "pivot",
      researchAllowed: ({ context }) => decisionIn(context).kind === "research",
      checkpointReached: ({ context }) => decisionIn(context).kind === "checkpoint",
      personNeeded: ({ context }) => decisionIn(context).kind === "gate",
      isFix: ({ context }) => context.current !== context.root,
      isPart: ({ context }) => wholeOf(context.current) !== null,
      partLeftOut: ({ context }) => wholeOf(moves.skipOf(context).task) !== null,
      fixLeftOut: ({ context }) => moves.skipOf(context).task !== context.root,
      partsRemain: ({ context }) => moves.partsRemain(context),
      // A task whose fix is done is tried again first. An attempt that has led to a question counts as none.
      attempted: ({ context: { question, remedy, spent, current } }) =>
        question !== null || (remedy !== "fix" && attemptsOn(spent, current) > 0),
      paused: ({ context }) => context.paused,
      totalReached: ({ context }) => moves.isTotalReached(context),
    },
    actions: {
      pause: assign({ paused: true }),
      resume: assign({ paused: false }),
      countAttempt: assign(({ context }) => moves.withAttempt(context)),
      countRetry: assign(({ context }) => moves.spend(context, ({ retries }) => ({ retries: retries + 1 }))),
      refund: assign(({ context }) => moves.withRefund(context)),
      countReview: assign(({ context }) => moves.spend(context, ({ reviews = 0 }) => ({ reviews: reviews + 1 }))),
      // A claim that was not in order is claimed again: what was tried stays what it was.
      rememberRetry: assign(({ context }) => (context.failure === null ? {} : { remedy: "retry" as const })),
      remember: assign((_, { rung }: { rung: Rung }) => ({ remedy: rung })),
      recordHindrance: assign((_, failure: FailureDigest) => ({ failure, rejection: null })),
      recordFailure: assign(({ context }, failure: FailureDigest) => moves.withFailure(context, failure)),
      recordAcceptance: assign(({ context }, accepted: Accepted) => moves.withAcceptance(context, accepted)),
      recordBlocker: assign((_, { question: text }: { question: string }) => ({
        question: { about: "blocked" as const, text },
      })),
      recordTrouble: assign((_, { environment = "" }: FailureDigest) => ({
        question: { about: "environment" as const, text: environment },
      })),
      recordRejection: assign(({ context }, { layer, reason }: Rejection) => ({
        failure: null,
        rejection: { layer, reason },
        escalation: afterFailure(context.escalation, context.current, null),
      })),
      recordRepair: assign(({ context }, { directive }: Directed) => moves.withRepair(context, directive)),
      // Only after `toldToPrune`.
      leaveOutPruned: assign(({ context }, { directive }: Directed) =>
        moves.leaveOut(context, moves.prunedIn(context), detailOf(directive)),
      ),
      leaveOutCurrent: assign(({ context }) => moves.leaveOut(context, context.current)),
      leaveOutTask: assign(({ context }) => moves.leaveOut(context, context.root)),
      // To go on without advice takes none back.
      recordGuidance: assign((_, { text }: { text: string }) => (text === "" ? {} : { guidance: text })),
      climb: assign(({ context }, { to }: { to: EscalationRung }) => ({
        escalation: { ...context.escalation, level: to },
      })),
      notePass: assign(({ context: { escalation, current } }) => ({
        // The next part has errors of its own.
        escalation: wholeOf(current) === null ? afterProgress(escalation) : afterPass(escalation),
      })),
      reset: assign(({ context }) => moves.reset(context)),
      descendToFix: assign(({ context }, { fix }: { fix: TaskId }) => moves.toFix(context, fix)),
      // Only after `isFix`: the root repairs nothing.
      returnToRepaired: assign(({ context }) => moves.toRepaired(repairedBy(context.current) as TaskId)),
      // Only after `toldToDecompose`.
      descendToPart: assign(({ context }, { directive }: Directed) =>
        moves.toFirstPart(context, directive as moves.Decompose),
      ),
      goToNextPart: assign(({ context }) => moves.toNextPart(context)),
      abandonParts: assign(({ context }) => moves.toWholeUntried(context)),
      returnToWhole: assign(({ context }) => moves.toWhole(context)),
      announceRejection: emit(taskEvents.rejected),
      announceFailure: emit(taskEvents.failed),
      decide: assign(({ context }) => ({ decided: deliberate(context) })),
      announceDecision: emit(taskEvents.decided),
      announceWait: emit(taskEvents.waiting),
      announceReview: emit(taskEvents.reviewed),
      announceChange: emit(taskEvents.changed),
      announceRefusal: emit(taskEvents.refused),
      announceFix: emit(taskEvents.fixInserted),
      announceLevel: emit(taskEvents.levelChanged),
      announceRepair: emit(taskEvents.repairChosen),
      announceSkip: emit(taskEvents.skipped),
      announceQuestion: emit(taskEvents.personAsked),
      announcePass: emit(taskEvents.passed),
    },
  });
}

/** @internal */
export type TaskSetup = ReturnType<typeof taskSetup>;

type Accepted = Extract<Answer<"verify">, { kind: "accepted" }>;
type Directed = Extract<RepairOutcome, { kind: "directed" }>;

const saidBy = (answer: Answer<"askPerson">) => (answer.kind === "decided" ? answer.decision : null);
