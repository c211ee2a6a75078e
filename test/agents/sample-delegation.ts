import type { Reply } from "../../src/model/reply.ts";
import type { Delegation, Executor, WorkProgress } from "../../src/ports/executor.ts";

const delegation: Delegation = {
  key: "1.1#1",
  role: "executor",
  taskId: "1.1",
  attempt: 1,
  prompt: "Do it",
  workspace: "/workspace",
  spec: "/spec",
  progressFile: "/spec/.progress.md",
};

export async function delegateTo(
  executor: Executor,
  {
    signal = new AbortController().signal,
    role = delegation.role,
  }: { signal?: AbortSignal; role?: Delegation["role"] } = {},
): Promise<{ readonly reply: Reply; readonly shown: readonly WorkProgress[] }> {
  const shown: WorkProgress[] = [];
  const reply = await executor({ ...delegation, role }, signal, (progress) => void shown.push(progress));
  return { reply: typeof reply === "string" ? { text: reply } : reply, shown };
}
