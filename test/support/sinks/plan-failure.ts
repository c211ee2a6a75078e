import assert from "node:assert/strict";
import { applyEdit, openPlan } from "../../../src/markdown/document/plan-document.ts";
import { fixEdit } from "../../../src/markdown/insert-fix-task.ts";
import { readVerify } from "../../../src/markdown/tasks/read-verify.ts";
import type { Failure } from "../../../src/model/failure.ts";
import { parseFailure } from "../../../src/parse/parse-failure.ts";
import { digestFailure } from "../../../src/recover/digest-failure.ts";
import { writeFixTask } from "../../../src/recover/write-fix-task.ts";
import { boxedItems } from "../markdown-it-oracle.ts";
import { assertReadsAsFix } from "../properties/fix-block.ts";
import { saidOfTasks } from "../properties/saying.ts";
import { assertReadable } from "./assert-readable.ts";
import { pureSink } from "./sink.ts";

const plan = `# Tasks

## Phase 1: Make it

- [ ] 1.1 One
  - **Do**: Make one
  - **Files**: src/a.ts
  - **Done when**: It is there
  - **Verify**: \`npm test\`
  - **Commit**: \`feat(a): one\`

- [x] 1.2 Two
`;
const documents = [plan, plan.replaceAll("\n", "\r\n"), "* [ ] 1.1 One\n* [ ] 1.2 Two"].map(openPlan);

const failuresOf = (text: string): readonly Failure[] => [
  parseFailure(text, "1.1"),
  parseFailure(`Task 1.1: One FAILED\n- Error: ${text}\n- Attempted fix: ${text}\n- Status: ${text}\n`, "1.1"),
  {
    ...{ taskId: "1.1", failed: true, kind: "task", rawOutput: text, unstated: [] },
    ...{ error: text, attemptedFix: text, status: text },
  },
];

export const planFailureSink = pureSink("plan, as a failure", (text) => {
  for (const failure of failuresOf(text)) for (const document of documents) assertAddsOneFix(document, failure);
});

function assertAddsOneFix(document: ReturnType<typeof openPlan>, failure: Failure): void {
  const [task] = document.plan.tasks;
  assert.ok(task !== undefined);
  const fix = writeFixTask({ task, failure: digestFailure(failure), attempt: 1, spec: "sample" });
  const after = openPlan(applyEdit(document, fixEdit(document, fix)).text);
  const [, added] = after.plan.tasks;
  assert.ok(added !== undefined);
  assert.deepEqual(saidOfTasks(after).toSpliced(1, 1), saidOfTasks(document));
  assert.deepEqual(after.plan.phases.length, document.plan.phases.length);
  const { id, fixOf, done, parent, markers, fields } = added;
  assert.deepEqual(
    { id, fixOf, done, parent, markers: [...markers], fields: Object.keys(fields).sort() },
    {
      ...{ id: "1.1.1", fixOf: "1.1", done: false, parent: null, markers: ["FIX 1.1"] },
      fields: ["commit", "do", "doneWhen", "files", ...(fix.verify === null ? [] : ["verify"])],
    },
  );
  assert.deepEqual(readVerify(fields.verify), readVerify(fix.verify ?? undefined));
  assert.equal(boxedItems(after.text).length, boxedItems(document.text).length + 1);
  assertReadsAsFix(after.text, added, fix, task);
  assertReadable(after.text);
}
