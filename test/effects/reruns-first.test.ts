import { expect, it } from "vitest";
import { rerunsFirst } from "../../src/effects/reruns-first.ts";
import type { WholePorts } from "../../src/effects/with-memory.ts";
import { openPlan } from "../../src/markdown/document/plan-document.ts";

const text = `- [ ] 1.1 With a Verify
  - **Verify**: \`npm test\`
- [ ] 1.2 Without a Verify
- [ ] VF1 [VERIFY] Goal verification: no bug is left
  - **Verify**: \`npm test\`
- [ ] 1.4 With another Verify
  - **Verify**: \`npm run lint\`
`;

it("reruns only a failed Verify of the task's own; goals and tasks without a failed Verify must be ticked", async () => {
  const ports = {
    plan: { known: async () => openPlan(text) },
    attempts: { hasFailed: (_: string, command: string) => command === "npm test" || command === "test fix" },
    check: null,
  } as unknown as WholePorts;
  const isRerun = await rerunsFirst(ports);
  expect(["1.1", "1.2", "VF1", "1.4", "9.9"].map(isRerun)).toEqual([true, false, false, false, false]);
});
