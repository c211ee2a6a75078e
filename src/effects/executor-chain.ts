import type { Role } from "../model/task.ts";
import type { Executor, Executors } from "../ports.ts";

/**
 * The executors of a role, the one that is preferred first; none for a reviewer that was not given. Without a repair
 * operator the executor is asked.
 */
export function executorsOf(executors: Executors, role: Role): readonly Executor[] {
  const chain = executors[role] ?? (role === "operator" ? executors.executor : []);
  return typeof chain === "function" ? [chain] : chain;
}
