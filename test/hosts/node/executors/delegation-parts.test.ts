import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runSpec } from "../../../../src/hosts/node/run-spec.ts";
import type { Delegation } from "../../../../src/ports/executor.ts";
import { renderPrompt } from "../../../../src/prompt/render-prompt.ts";
import { temporaryFolder } from "../../../support/folder.ts";

it("passes an executor the delegation parts from which its prompt is made", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "tasks.md"), "## Phase 1\n\n- [ ] 1.1 Say hello\n  - **Do**: Write it\n");
  writeFileSync(join(folder, "design.md"), "In a file\n");
  const given: Delegation[] = [];
  const executor = async (delegation: Delegation) => {
    given.push(delegation);
    return given.length === 1 ? "Task 1.1: FAILED\n- Error: No disk\n" : "TASK_COMPLETE";
  };
  const policy = { recovery: ["retry" as const] };
  await runSpec({ spec: folder, workspace: folder, executors: { executor }, policy, guidance: "Be brief" });
  const [first, second] = given.map(({ parts }) => parts);
  expect(given.map(({ parts }) => parts && renderPrompt(parts))).toEqual(given.map(({ prompt }) => prompt));
  expect(first).toMatchObject({
    role: "executor",
    task: { id: "1.1", fields: { do: "Write it" } },
    context: { phase: "Phase 1", documents: [{ name: "design.md", text: "In a file\n" }] },
    earlier: [],
  });
  expect(second?.earlier).toMatchObject([{ attempt: "1.1#1", text: expect.stringContaining("No disk") }]);
});
