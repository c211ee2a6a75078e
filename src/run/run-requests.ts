import type { Policy } from "../model/policy.ts";
import type { RunState } from "../model/run-state.ts";
import { rulesOf } from "../recover/rules.ts";

export interface RunRequest {
  readonly name: "chooseTask" | "checkWork" | "chooseCleanup" | "mergeProgress" | "confirmCompletion";
  readonly logs?: readonly string[];
}

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
        guard: policy.guard,
        repair: policy.recovery.includes("fix") ? repairLimits(policy) : null,
      };
    case "chooseCleanup":
      // An exhausted cleanup is not repeated.
      return { key: `run#${turns}.${cleaned.length + 1}/chooseCleanup`, done: [...turn.exhausted, ...cleaned] };
    case "mergeProgress":
      return { key: `run#${turns}/mergeProgress`, logs: [...logs], commit: policy.commit, ...mergedCheck(policy) };
    case "confirmCompletion":
      return {
        key: `run#${turns}/confirmCompletion`,
        // Skip the final check if it has already confirmed a pull request.
        finalVerify: policy.pullRequest === undefined ? policy.finalVerify : null,
        timeoutMs: policy.verifyTimeout,
        requireProof: policy.requireProof,
        recheck: policy.recheck && !policy.trustExecutor,
        repair: policy.recovery.includes("fix") && rulesOf(policy).repairsFinal ? repairLimits(policy) : null,
      };
  }
}

/** Time limit for checks after a merge of worktrees; empty if no checks are run. */
const mergedCheck = ({ worktrees, recheck, trustExecutor, verifyTimeout }: Policy) =>
  worktrees && recheck && !trustExecutor ? { checkMerged: verifyTimeout } : {};

const workChoice = ({ optional, unattended, pullRequest }: Policy) => ({
  ...(optional && { optional }),
  ...(unattended && { unattended }),
  ...(pullRequest !== undefined && { ships: true }),
});

/** Limits for writing a fix task that no failed attempt asks for. */
export const repairLimits = (policy: Policy) => {
  const { maxFixTasksPerOriginal, maxFixTaskDepth, maxFixTasksPerRoot, scope } = policy;
  return { maxFixTasksPerOriginal, maxFixTaskDepth, maxFixTasksPerRoot, scope };
};
