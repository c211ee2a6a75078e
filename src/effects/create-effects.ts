import type { Answer, EffectInput, EffectName } from "../model/effect.ts";
import type { Ports } from "../ports/ports.ts";
import { askOperator } from "./ask-operator.ts";
import { askPerson } from "./ask-person.ts";
import { changePlan } from "./change-plan.ts";
import { chooseCleanup } from "./choose-cleanup.ts";
import { chooseTask } from "./choose-task.ts";
import { confirmCompletion } from "./confirm-completion.ts";
import { delegate } from "./delegate.ts";
import { gatherParts } from "./gather-parts.ts";
import { insertFix } from "./insert-fix.ts";
import { mergeProgress } from "./merge-progress.ts";
import { readFailure } from "./read-failure.ts";
import { recordPass } from "./record-pass.ts";
import { recordSkip } from "./record-skip.ts";
import { review } from "./review.ts";
import { verify } from "./verify.ts";
import { wait } from "./wait.ts";
import { withMemory } from "./with-memory.ts";
import { writeStuckReport } from "./write-stuck-report.ts";

/** How every effect is performed. */
export type Effects = {
  readonly [Name in EffectName]: (input: EffectInput<Name>, signal: AbortSignal) => Promise<Answer<Name>>;
};

/** The effects over ports: what fulfils the requests of a machine. */
export function createEffects(ports: Ports): Effects {
  const whole = withMemory(ports);
  return {
    chooseTask: (input) => chooseTask(whole, input),
    chooseCleanup: (input) => chooseCleanup(whole, input),
    delegate: (input, signal) => delegate(whole, input, signal),
    changePlan: (input) => changePlan(whole, input),
    verify: (input, signal) => verify(whole, input, signal),
    review: (input, signal) => review(whole, input, signal),
    readFailure: (input) => readFailure(whole, input),
    wait: (input, signal) => wait(whole, input, signal),
    askOperator: (input, signal) => askOperator(whole, input, signal),
    gatherParts: (input) => gatherParts(whole, input),
    recordSkip: (input) => recordSkip(whole, input),
    writeStuckReport: (input) => writeStuckReport(whole, input),
    askPerson: (input, signal) => askPerson(whole, input, signal),
    insertFix: (input) => insertFix(whole, input),
    recordPass: (input) => recordPass(whole, input),
    mergeProgress: (input) => mergeProgress(whole, input),
    confirmCompletion: (input, signal) => confirmCompletion(whole, input, signal),
  };
}
