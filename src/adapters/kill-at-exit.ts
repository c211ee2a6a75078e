import { killProcesses } from "./end-processes.ts";
import type { Sought } from "./find-processes.ts";

const calls = new Set<Sought>();

/**
 * See to it that a program that ends in the middle of a call leaves nothing of it behind.
 *
 * @returns What takes that back.
 */
export function killAtExit(call: Sought): () => void {
  // One listener for all: Node warns of the eleventh.
  if (calls.size === 0) process.on("exit", killAll);
  calls.add(call);
  return () => {
    calls.delete(call);
    if (calls.size === 0) process.off("exit", killAll);
  };
}

function killAll(): void {
  for (const call of calls) killProcesses(call);
}
