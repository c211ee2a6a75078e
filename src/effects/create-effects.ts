import type { Answer, Effect, EffectInput, EffectName } from "../model/effect.ts";
import type { AttemptFacts, Outcome } from "../ports/attempt-record.ts";
import type { Ports } from "../ports/ports.ts";
import { askOperator } from "./ask-operator.ts";
import { askPerson } from "./ask-person.ts";
import { changePlan, gatherParts } from "./change-plan.ts";
import { checkWork } from "./check-work.ts";
import { chooseCleanup, chooseTask } from "./choose-task.ts";
import { confirmCompletion } from "./confirm-completion.ts";
import { delegate } from "./delegate.ts";
import { insertFix } from "./insert-fix.ts";
import { mergeProgress } from "./merge-progress.ts";
import { portsFor } from "./ports-for.ts";
import { readFailure } from "./read-failure.ts";
import { recordPass } from "./record-pass.ts";
import { recordSkip } from "./record-skip.ts";
import { review } from "./review.ts";
import { addPullRequestTask } from "./shipping/add-task.ts";
import { answerThread } from "./shipping/answer-thread.ts";
import { awaitChange, awaitTime } from "./shipping/await-change.ts";
import { readPullRequest } from "./shipping/look-and-judge.ts";
import { confirmPullRequest, openPullRequest } from "./shipping/open-pull-request.ts";
import { adoptHead, pushBranch } from "./shipping/push-branch.ts";
import { rerunCheck, updateBranch } from "./shipping/red-check.ts";
import { renderShipping } from "./shipping/shipping-ports.ts";
import { verify } from "./verify.ts";
import { wait } from "./wait.ts";
import { type WholePorts, withMemory } from "./with-memory.ts";
import { writeStuckReport } from "./write-stuck-report.ts";

/** The functions that perform effects, by effect name. */
export type EffectFunctions = {
  readonly [Name in keyof Acts]: (input: EffectInput<Name>, signal: AbortSignal) => Promise<Answer<Name>>;
};

/** The functions that perform effects over ports; the caller records the outcomes. */
export type Acts = {
  readonly [Name in Exclude<EffectName, "decide" | "nextPart">]: (
    input: EffectInput<Name>,
    signal: AbortSignal,
  ) => Promise<Outcome<Name>>;
};

interface ActOptions {
  /**
   * Whether the host flushes documents later, and restores writes lost in a power cut when it resumes (false by
   * default).
   */
  readonly flushesLater?: boolean;
}

/** Create the effects over ports, for a host that records their answers itself. */
export const createActs = (ports: Ports, options: ActOptions = {}): Acts => actsOver(withMemory(ports), options);

/** The answer of an effect, and the facts it is based on. */
export interface Acted {
  readonly answer: Answer<EffectName>;
  readonly facts?: AttemptFacts | undefined;
}

/**
 * Perform an effect that a session requests. The session itself answers `decide` and `nextPart`.
 *
 * @throws {NotReported} The work is handed out, and not reported yet.
 */
export function performAct(acts: Acts, effect: Effect, signal: AbortSignal): Promise<Acted> {
  const act = acts[effect.name as keyof Acts] as (input: unknown, signal: AbortSignal) => Promise<Acted>;
  return act(effect.input, signal);
}

const actsOver = (ports: WholePorts, { flushesLater = false }: ActOptions): Acts => ({
  chooseTask: (input, signal) => alone(chooseTask(ports, input, signal)),
  chooseCleanup: (input) => alone(chooseCleanup(ports, input)),
  delegate: async (input, signal) => delegate(await portsFor(ports, input.task, signal), input, signal),
  changePlan: (input) => alone(changePlan(ports, input)),
  verify: async (input, signal) => verify(await portsFor(ports, input.task, signal), input, signal),
  review: async (input, signal) => review(await portsFor(ports, input.task, signal), input, signal),
  readFailure: (input) => alone(readFailure(ports, input)),
  wait: (input, signal) => alone(wait(ports, input, signal)),
  askOperator: async (input, signal) => askOperator(await portsFor(ports, input.task, signal), input, signal),
  gatherParts: (input) => gatherParts(ports, input),
  recordSkip: (input) => alone(recordSkip(ports, input)),
  writeStuckReport: (input) => alone(writeStuckReport(ports, input)),
  askPerson: (input, signal) => alone(askPerson(ports, input, signal)),
  insertFix: (input) => alone(insertFix(ports, input)),
  recordPass: (input, signal) => alone(recordPass(ports, input, { flushesLater }, signal)),
  mergeProgress: (input, signal) => alone(mergeProgress(ports, input, signal)),
  checkWork: (input, signal) => checkWork(ports, input, signal),
  confirmCompletion: (input, signal) => confirmCompletion(ports, input, signal),
  pushBranch: (input, signal) => told(ports, input, alone(pushBranch(ports, input, signal))),
  adoptHead: (input, signal) => told(ports, input, alone(adoptHead(ports, input, signal))),
  openPullRequest: (input, signal) => told(ports, input, alone(openPullRequest(ports, input, signal))),
  readPullRequest: (input, signal) => told(ports, input, alone(readPullRequest(ports, input, signal))),
  awaitChange: (input, signal) => alone(awaitChange(ports, input, signal)),
  awaitTime: (input, signal) => alone(awaitTime(ports, input, signal)),
  rerunCheck: (input, signal) => told(ports, input, alone(rerunCheck(ports, input, signal))),
  updateBranch: (input, signal) => told(ports, input, alone(updateBranch(ports, input, signal))),
  addPullRequestTask: (input, signal) => told(ports, input, alone(addPullRequestTask(ports, input, signal))),
  answerThread: (input, signal) => told(ports, input, alone(answerThread(ports, input, signal))),
  confirmPullRequest: (input, signal) => told(ports, input, confirmPullRequest(ports, input, signal)),
});

const alone = async <Given>(answer: Promise<Given>): Promise<{ readonly answer: Given }> => ({ answer: await answer });

/** Log the state of the pull request in the progress log, and return the outcome. */
async function told<Given extends { readonly answer: Answer<EffectName> }>(
  ports: WholePorts,
  input: { readonly head?: string | null },
  outcome: Promise<Given>,
): Promise<Given> {
  const given = await outcome;
  await renderShipping(ports, input, given.answer);
  return given;
}
