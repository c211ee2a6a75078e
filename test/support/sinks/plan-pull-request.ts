import assert from "node:assert/strict";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";
import { applyChange } from "../../../src/markdown/insert-tasks.ts";
import type { NewTask } from "../../../src/model/plan-change.ts";
import { taskForCheck, taskForConflict, taskForThread } from "../../../src/recover/pull-request-tasks.ts";
import { boxedItems } from "../markdown-it-oracle.ts";
import { saidOfTasks } from "../properties/saying.ts";
import { assertReadable } from "./assert-readable.ts";
import { pureSink } from "./sink.ts";

const document = openPlan("# Tasks\n\n- [x] 1.1 One\n\n## Phase 5: PR Lifecycle\n\n- [ ] 5.1 Create the PR\n");
const id = "5.2";

const said = (text: string) => ({ id: text, author: text, bot: false, body: text, at: 0 });

const tasksOf = (text: string): readonly NewTask[] => [
  taskForCheck(id, {
    ...{ check: text, others: [text], error: text, url: text, files: [text], verify: null },
    quotes: [{ label: "What failed:", text }],
  }),
  taskForThread(id, { comment: said(text), before: [said(text), said(text)], path: text, line: 1 }),
  taskForConflict(id, text, text),
];

export const planPullRequestSink = pureSink("plan, as a task of a pull request", (text) => {
  for (const task of tasksOf(text)) assertAddsOne(task);
});

function assertAddsOne(task: NewTask): void {
  const after = openPlan(applyChange(document, { task: "5.1", place: "behind", tasks: [task] }).text);
  const added = after.plan.tasks[2];
  assert.ok(added !== undefined);
  assert.deepEqual(saidOfTasks(after).toSpliced(2, 1), saidOfTasks(document));
  assert.deepEqual(after.plan.phases.length, document.plan.phases.length);
  const { done, fixOf, parent, markers, fields } = added;
  assert.deepEqual(
    { id: added.id, done, fixOf, parent, markers: [...markers] },
    { id, done: false, fixOf: null, parent: null, markers: [] },
  );
  // `files` is missing if the path has no printable characters.
  assert.deepEqual(
    Object.keys(fields)
      .filter((name) => name !== "files")
      .sort(),
    ["commit", "do", "doneWhen"],
  );
  assert.equal(boxedItems(after.text).length, boxedItems(document.text).length + 1);
  assert.doesNotMatch(after.text, /^\W*(?:ALL_TASKS|TASK)_COMPLETE\W*$/m);
  assertReadable(after.text);
}
