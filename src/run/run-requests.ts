import type { Policy } from "../model/policy.ts";
import type { RunState } from "../model/run-state.ts";
import { rulesOf } from "../recover/rules.ts";

/** What charts ask for about the run. */
export interface RunRequest {
  readonly name: "chooseTask" | "checkWork" | "chooseCleanup" | "mergeProgress" | "confirmCompletion";
  /** Planned tasks of a batch whose own logs are taken over. */
  readonly logs?: readonly string[];
}

/** What an effect on the run is asked with. */
export function inputOnRun(state: RunState, policy: Policy, { name, logs = [] }: RunRequest) {
  const { turns, turn } = state;
  const cleaned = Object.entries(turn.chosen).flatMap(([root, { cleanup }]) => (cleanup === undefined ? [] : [root]));
  switch (name) {
    case "chooseTask":
      return {
        key: `run#${turns + 1}/chooseTask`,
        maxParallel: policy.maxParallel,
        ...workChoice(policy),
        ...(policy.verifyBefore && { verifyBefore: true }),
        commit: policy.commit,
        ...mergedCheck(policy),
      };
    case "checkWork":
      return {
        key: `run#${turns}/checkWork`,
        ...workChoice(policy),
        timeoutMs: policy.verifyTimeout,
        knownFailures: policy.knownFailures,
        repair: policy.recovery.includes("fix") ? repairLimits(policy) : null,
      };
    case "chooseCleanup":
      // One that is itself exhausted is not carried out again.
      return { key: `run#${turns}.${cleaned.length + 1}/chooseCleanup`, done: [...turn.exhausted, ...cleaned] };
    case "mergeProgress":
      return { key: `run#${turns}/mergeProgress`, logs: [...logs], commit: policy.commit, ...mergedCheck(policy) };
    case "confirmCompletion":
      return {
        key: `run#${turns}/confirmCompletion`,
        // A pull request was confirmed with it.
        finalVerify: policy.pullRequest === undefined ? policy.finalVerify : null,
        timeoutMs: policy.verifyTimeout,
        requireProof: policy.requireProof,
        recheck: policy.recheck && !policy.trustExecutor,
        repair: policy.recovery.includes("fix") && rulesOf(policy).repairsFinal ? repairLimits(policy) : null,
      };
  }
}

/** Whether what members of a batch did apart is checked once it is merged. */
const mergedCheck = ({ worktrees, recheck, trustExecutor, verifyTimeout }: Policy) =>
  worktrees && recheck && !trustExecutor ? { checkMerged: verifyTimeout } : {};

/** Within which a fix task is written that no failed attempt asks for. */
const workChoice = ({ optional, unattended, pullRequest }: Policy) => ({
  ...(optional && { optional }),
  ...(unattended && { unattended }),
  ...(pullRequest !== undefined && { ships: true }),
});

export const repairLimits = (policy: Policy) => {
  const { maxFixTasksPerOriginal, maxFixTaskDepth, maxFixTasksPerRoot, scope } = policy;
  return { maxFixTasksPerOriginal, maxFixTaskDepth, maxFixTasksPerRoot, scope };
};
