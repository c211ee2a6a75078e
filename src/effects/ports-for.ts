import type { TaskId } from "../model/task.ts";
import type { Worktree } from "../ports/git.ts";
import { handsOut } from "./executor-chain.ts";
import { addressIn } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Ports for the work on a task: the ports of the task's own worktree if batch members are isolated, else the given
 * ports. Handed-out work gets no worktree.
 *
 * @throws {EnvironmentError} `worktree-refused`
 */
export async function portsFor(ports: WholePorts, task: TaskId, signal: AbortSignal): Promise<WholePorts> {
  const { attempts, executors, worktrees } = ports;
  const root = attempts.rootOf(task);
  if (worktrees === undefined || handsOut(executors) || !attempts.batched().includes(root)) return ports;
  const began = attempts.apart(root);
  const from = began === null ? null : { base: began, content: attempts.leftIn(root)?.content ?? began };
  return portsIn(ports, await worktrees.open(root, from, signal));
}

/** @param ports Ports of the workspace. */
export function portsIn(ports: WholePorts, apart: Worktree): WholePorts & { readonly apart: Worktree } {
  // Name the original spec by its path: in the worktree, the name of the spec would mean the copy.
  const address = { ...addressIn(ports), path: ports.spec ?? "" };
  return { ...ports, ...apart.ports, address, apart };
}
