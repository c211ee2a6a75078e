import { deepEqual } from "node:assert/strict";
import type { PolicyInput } from "../model/policy.ts";
import type { Host } from "./host.ts";
import type { HostTask } from "./host-task.ts";
import { failedReply } from "./scripted-executor.ts";

export const plan = `- [ ] 1.1 First
  - **Verify**: \`true\`

- [ ] 1.2 Second
  - **Verify**: \`true\`
`;
export const batch = `- [ ] 1.1 [P] First
  - **Files**: \`a.ts\`

- [ ] 1.2 [P] Second
  - **Files**: \`b.ts\`

- [ ] 1.3 [P] Third
  - **Files**: \`c.ts\`
`;
/**
 * Policy with the rules of the source system: a reported failure gets a fix, and the fixed task is delegated again,
 * whatever its Verify reports.
 */
export const fix: PolicyInput = { recovery: ["fix"], rules: "source" };
export const fails = (task: string, ...errors: readonly string[]) =>
  errors.map((error) => ({ reply: failedReply(task, error) }));

export async function drive(host: Host, task: Partial<HostTask>) {
  const given: HostTask = { tasks: plan, policy: {}, ...task };
  const before = structuredClone(given);
  const result = await host(given);
  deepEqual(given, before, "A host must not change its task");
  return { ...result, keys: result.delegated.map(({ key }) => key) };
}
