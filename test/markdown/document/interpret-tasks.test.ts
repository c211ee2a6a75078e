import { expect, it } from "vitest";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";
import { fixEdit } from "../../../src/markdown/insert-fix-task.ts";
import { sampleFix } from "../../support/sample-fix.ts";

it("groups the fixes of a task, and their fixes, with the task, whatever the indentation", () => {
  const plan = openPlan(
    "- [ ] 1. Add\n- [ ] 1.2 Add\n- [ ] 1.2.1 [FIX 1.2] Fix\n\n## Later\n\n- [ ] 1.2.3 [FIX 1.2] Fix\n",
  );
  const { after } = fixEdit(plan, { ...sampleFix, id: "1.2.1.1", fixOf: "1.2.1" });
  expect(after.plan.tasks.map(({ id, parent }) => [id, parent])).toEqual([
    ["1", null],
    ["1.2", "1"],
    ["1.2.1", "1"],
    ["1.2.1.1", "1"],
    ["1.2.3", null],
  ]);
});

it("reads a fix below a heading whose number has a capital letter", () => {
  const plan = openPlan("### Task 3A: Move it\n\n- [ ] Write\n");
  const { after } = fixEdit(plan, { ...sampleFix, id: "3A.1", fixOf: "3A" });
  expect(after.plan.tasks).toMatchObject([
    { id: "3A", title: "Move it" },
    { id: "3A.1", fixOf: "3A" },
  ]);
});
