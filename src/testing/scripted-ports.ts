import type { Reply } from "../model/reply.ts";
import type { Delegation } from "../ports/executor.ts";
import type { Clock } from "../ports/ports.ts";
import type { CommandResult, Shell } from "../ports/shell.ts";

/** A scripted reply to a delegation, or a function that returns the reply. */
export type ScriptedAnswer = string | Reply | ((delegation: Delegation) => string | Reply | Promise<string | Reply>);

/** An executor that follows a script, and the delegations it received. */
export interface ScriptedExecutor {
  (delegation: Delegation, signal: AbortSignal): Promise<Reply | string>;
  readonly delegations: readonly Delegation[];
}

/**
 * Create an executor for tests from its answers by task id, in the order of delegations. After the last answer, and for
 * other tasks, the executor claims completion (`TASK_COMPLETE`, or `VERIFICATION_PASS` as verifier).
 */
export function scriptedExecutor(script: Readonly<Record<string, readonly ScriptedAnswer[]>> = {}): ScriptedExecutor {
  const delegations: Delegation[] = [];
  const calls = new Map<string, number>();
  const execute = async (delegation: Delegation, _signal: AbortSignal) => {
    delegations.push(delegation);
    const { taskId, role } = delegation;
    const call = calls.get(taskId) ?? 0;
    calls.set(taskId, call + 1);
    const answer = script[taskId]?.[call] ?? (role === "verifier" ? "VERIFICATION_PASS" : "TASK_COMPLETE");
    return typeof answer === "function" ? answer(delegation) : answer;
  };
  return Object.assign(execute, { delegations });
}

/** Render a reply with a failure block. */
export const failedReply = (task: string, error: string, attemptedFix = "Checked alternate paths"): string =>
  `Task ${task}: [task name] FAILED\n- Error: ${error}\n- Attempted fix: ${attemptedFix}\n- Status: Blocked, needs manual intervention\n`;

/** Create a shell for tests from its results by command, in the order of runs; exit code 0 after the last result. */
export function scriptedShell(script: Readonly<Record<string, readonly Partial<CommandResult>[]>> = {}): Shell {
  const calls = new Map<string, number>();
  return {
    run: async (command) => {
      const call = calls.get(command) ?? 0;
      calls.set(command, call + 1);
      return { exitCode: 0, stdout: "", stderr: "", durationMs: 0, timedOut: false, ...script[command]?.[call] };
    },
    exists: async () => true,
  };
}

/** Create a clock that moves only by sleeping: a sleep returns at once, and sets the clock to the requested time. */
export function stillClock(now = 0): Clock {
  let at = now;
  return {
    now: () => at,
    sleepUntil: async (time) => {
      at = Math.max(at, time);
    },
  };
}
