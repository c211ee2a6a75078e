import assert from "node:assert/strict";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";
import { applyChange, readProposedTask } from "../../../src/markdown/insert-tasks.ts";
import { readVerify } from "../../../src/markdown/tasks/read-verify.ts";
import type { NewTask } from "../../../src/model/plan-change.ts";
import { parseModificationRequest } from "../../../src/parse/parse-modification-request.ts";
import { checkChange, planChangeOf } from "../../../src/recover/check-plan-change.ts";
import { boxedItems } from "../markdown-it-oracle.ts";
import { saidOfTasks } from "../properties/saying.ts";
import { orRefused } from "./refusal.ts";
import { pureSink } from "./sink.ts";

const document = openPlan("# Tasks\n\n- [ ] 1.1 One\n  - **Verify**: `npm test`\n- [ ] 1.2 Two\n");
const plain = {
  ...{ id: "1.3", title: "Three", do: "Make three", files: "src/c.ts" },
  ...{ doneWhen: "It is there", verify: "`npm test`", commit: "`feat: three`" },
};

const markdownOf = (part: Partial<typeof plain>): string => {
  const task = { ...plain, ...part };
  const fields = [
    `  - **Do**: ${task.do}`,
    `  - **Files**: ${task.files}`,
    `  - **Done when**: ${task.doneWhen}`,
    `  - **Verify**: ${task.verify}`,
    `  - **Commit**: ${task.commit}`,
  ];
  return [`- [ ] ${task.id} ${task.title}`, ...fields].join("\n");
};

export const planRequestSink = pureSink("plan, as a proposed task", (text) => {
  const tasks = Object.keys(plain).map((place) => markdownOf({ [place]: text }));
  for (const markdown of [text, ...tasks, markdownOf({ verify: `\`${text}\`` })]) assertAddsAtMostOne(markdown);
});

function assertAddsAtMostOne(markdown: string): void {
  const request = { type: "ADD_FOLLOWUP", originalTaskId: "1.1", proposedTasks: [markdown] };
  const parsed = parseModificationRequest(`TASK_MODIFICATION_REQUEST\n${JSON.stringify(request)}\nTASK_COMPLETE\n`);
  if (parsed.kind !== "request") {
    // Only the start of a long line is read.
    assert.ok(markdown.length > 15_000 && parsed.kind === "malformed", parsed.kind);
    return;
  }
  assert.deepEqual(parsed.request.proposedTasks, [markdown]);
  const task = readProposedTask(markdown);
  if ("problem" in task) return;
  const asked = { request: parsed.request, task: { id: "1.1", fixOf: null }, root: "1.1", plan: document.plan };
  if (readVerify(task.fields.verify).kind === "unrunnable") return;
  if (checkChange({ ...asked, proposed: [task], changes: 0, depth: 0, claimed: true }) !== null) return;
  const change = planChangeOf(parsed.request.type, { task: "1.1", root: "1.1", tasks: [task] });
  const after = orRefused(() => applyChange(document, change));
  if (after !== null) assertHasOneMore(openPlan(after.text), task);
}

function assertHasOneMore(after: ReturnType<typeof openPlan>, task: NewTask): void {
  const added = after.plan.tasks[1];
  assert.ok(added !== undefined);
  assert.deepEqual(saidOfTasks(after).toSpliced(1, 1), saidOfTasks(document));
  assert.deepEqual([added.id, added.done, added.fixOf, added.parent], [task.id, false, null, null]);
  assert.deepEqual([...added.markers], [...task.markers]);
  assert.deepEqual(readVerify(added.fields.verify), readVerify(task.fields.verify));
  assert.equal(boxedItems(after.text).length, boxedItems(document.text).length + 1);
}
