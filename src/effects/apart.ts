import type { TaskId } from "../model/task.ts";
import type { Worktree } from "../ports/worktrees.ts";
import { handsOut } from "./executor-chain.ts";
import { addressIn } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * The ports with which a task is worked on: where members of a batch work apart, those of the place of its own. What is
 * handed out is done where whoever has it is.
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

/**
 * The ports of a place apart.
 *
 * @param ports Those of the workspace.
 */
export function portsIn(ports: WholePorts, apart: Worktree): WholePorts & { readonly apart: Worktree } {
  // There the name of the spec is that of a copy.
  const address = { ...addressIn(ports), path: ports.spec ?? "" };
  return { ...ports, ...apart.ports, address, apart };
}
