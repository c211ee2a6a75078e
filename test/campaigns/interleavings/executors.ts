import type { Delegation, Executor } from "../../../src/ports/executor.ts";
import type { MemoryStore } from "../../../src/testing/memory-store.ts";
import { failedReply } from "../../../src/testing/scripted-ports.ts";
import type { Order } from "./order.ts";
import type { Fate, Scenario } from "./scenario.ts";

export interface Watch {
  readonly running: Set<Delegation>;
  readonly overlaps: string[];
}

export const createWatch = (): Watch => ({ running: new Set(), overlaps: [] });

/** The reply must depend only on the delegation, not on the order of events. */
export function scenarioExecutor(scenario: Scenario, order: Order, store: MemoryStore, watch: Watch): Executor {
  return async (delegation, signal) => {
    begin(watch, delegation, scenario.maxParallel);
    try {
      const fate = fateOf(scenario, delegation);
      await order.turn(`${delegation.key} works`);
      if (signal.aborted && fate !== "late") return "stopped";
      note(store, delegation);
      await order.turn(`${delegation.key} answers`);
      return replyOf(fate, delegation, scenario);
    } finally {
      watch.running.delete(delegation);
    }
  };
}

function begin({ running, overlaps }: Watch, delegation: Delegation, maxParallel: number): void {
  running.add(delegation);
  const tasks = [...running].map(({ taskId }) => taskId);
  const alone = [...running].some(({ role }) => role === "verifier");
  const isTwice = new Set(tasks).size < tasks.length;
  if (isTwice || tasks.length > maxParallel || (alone && tasks.length > 1)) {
    overlaps.push([...running].map(({ key, role }) => `${role} ${key}`).join(" beside "));
  }
}

function fateOf({ tasks, fates, findings }: Scenario, { taskId, role, attempt }: Delegation): Fate {
  if (role === "reviewer") return attempt <= (findings ?? 0) ? "failed" : "done";
  const index = taskId.startsWith("2.") ? tasks.length : Number(taskId.split(/[.~a-z]/)[1]) - 1;
  const planned = /^\d+\.\d+$/.test(taskId);
  return (planned ? fates[index]?.[attempt - 1] : undefined) ?? "done";
}

function note({ memberLogs }: MemoryStore, { progressFile, taskId }: Delegation): void {
  const member = /\.progress-task-(.*)\.md$/.exec(progressFile)?.[1];
  if (member === undefined) return;
  const line = `- learned in ${taskId}\n`;
  const before = memberLogs.get(member) ?? "";
  if (!before.includes(line)) memberLogs.set(member, before + line);
}

function replyOf(
  fate: Fate,
  { role, taskId, attempt }: Delegation,
  { tasks }: Scenario,
): ReturnType<Executor> | string {
  if (role === "reviewer") return fate === "failed" ? "CODE: no test\nREVIEW_FAIL" : "REVIEW_PASS";
  if (role === "operator") return attempt % 2 === 1 ? "RETRY: look again" : "PRUNE: cannot be done here";
  const claim = role === "verifier" ? "VERIFICATION_PASS" : "TASK_COMPLETE";
  switch (fate) {
    case "failed":
      return failedReply(taskId, `boom ${attempt}`);
    case "rejected":
      return `It needs human eyes\n${claim}`;
    case "limited":
      return Promise.resolve({ text: "", exitCode: 1, problem: { kind: "rate-limit", message: "later", until: 10 } });
    case "split":
      return role === "verifier" || taskId.length > 3
        ? claim
        : split(taskId, tasks[Number(taskId.slice(2)) - 1] !== "alone");
    case "done":
    case "denied":
    case "late":
      return claim;
  }
}

function split(task: string, sideBySide: boolean): string {
  const proposedTasks = ["a", "b"].map(
    (half) =>
      `- [ ] ${task}${half}${sideBySide ? " [P]" : ""} Half of it\n  - **Do**: It\n  - **Files**: src/${task}${half}\n  - **Done when**: It is there\n  - **Verify**: \`check ${task}${half}\`\n  - **Commit**: \`feat: it\``,
  );
  const request = { type: "SPLIT_TASK", originalTaskId: task, reasoning: "It is more", proposedTasks };
  return `TASK_MODIFICATION_REQUEST\n${JSON.stringify(request)}\n\nTASK_COMPLETE`;
}
