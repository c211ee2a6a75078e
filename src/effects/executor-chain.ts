import type { Role } from "../model/task.ts";
import type { Executor, Executors } from "../ports.ts";

/** The executors of a role, the one that is preferred first; none for a reviewer that was not given. */
export function executorsOf(executors: Executors, role: Role): readonly Executor[] {
  const chain = executors[role] ?? [];
  return typeof chain === "function" ? [chain] : chain;
}
