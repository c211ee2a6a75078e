import assert from "node:assert/strict";
import { bytesOf, textOf } from "../../../src/adapters/files/bytes-as-text.ts";
import { applyEdit, type Edit, openPlan, type PlanDocument } from "../../../src/markdown/document/plan-document.ts";
import { fixEdit } from "../../../src/markdown/insert-fix-task.ts";
import { tasksEdits } from "../../../src/markdown/insert-tasks.ts";
import { lintPlan } from "../../../src/markdown/lint-plan.ts";
import { readVerify } from "../../../src/markdown/tasks/read-verify.ts";
import { tickEdit } from "../../../src/markdown/tick-task.ts";
import { nextFixNumber, nextTask } from "../../../src/model/plan.ts";
import { fixId } from "../../../src/model/task-id.ts";
import { saidOfTasks, saying } from "../../support/properties/saying.ts";
import { orRefused } from "../../support/sinks/refusal.ts";

/** A plan, the text that failures are told in, and the task that is edited. */
export interface PlanInput {
  readonly text: string;
  readonly said: string;
  readonly which: number;
}

/** A plan can be read, linted and edited, or is refused; what an edit does not mean stays as it was, byte by byte. */
export function checkPlan({ text, said, which }: PlanInput): void {
  const document = openPlan(text);
  const { tasks } = document.plan;
  lintPlan(document.plan, { text });
  assert.ok(tasks.length === 0 || nextTask(document.plan) !== null || tasks.every(({ done }) => done));
  for (const { box, start, end, done } of tasks) {
    assert.ok(start <= box && box < end && end <= text.length);
    assert.equal(/[xX]/.test(text[box] ?? ""), done);
  }
  const content = bytesOf(text);
  if (textOf(content).text === text) assert.deepEqual(bytesOf(textOf(content).text), content);
  const task = tasks[which % Math.max(1, tasks.length)];
  if (task === undefined) return;
  const ticked = assertIsEdited(document, () => tickEdit(document, task.id, !task.done), 0);
  if (ticked !== null)
    assert.deepEqual(
      ticked.plan.tasks.map(({ id }) => id),
      tasks.map(({ id }) => id),
    );
  const fix = { id: fixId(task.id, nextFixNumber(document.plan, task.id, 0)), fixOf: task.id };
  const texts = { summary: said, error: said, attemptedFix: said, doneWhen: said, files: said, commit: said };
  assertIsEdited(document, () => fixEdit(document, { ...fix, ...texts, verify: "`true`" }), 1);
  const fields = {
    do: said,
    files: said,
    doneWhen: said,
    verify: readVerify(task.fields.verify).kind === "command" ? (task.fields.verify ?? "") : "`true`",
    commit: said,
  };
  const change = { task: task.id, place: "behind" as const, tasks: [{ id: "77.7", markers: [], title: said, fields }] };
  assertIsEdited(document, () => tasksEdits(document, change)[0] ?? null, 1);
}

/** What an edit makes of a document; null when it is refused, or changes nothing. */
function assertIsEdited(document: PlanDocument, edit: () => Edit | null, more: number): PlanDocument | null {
  const made = orRefused(edit);
  if (made === null) return null;
  const after = applyEdit(document, made);
  assert.equal(after.text, `${document.text.slice(0, made.start)}${made.text}${document.text.slice(made.end)}`);
  const again = openPlan(after.text);
  assert.deepEqual(saying(after), saying(again));
  assert.equal(again.plan.tasks.length, document.plan.tasks.length + more);
  if (more === 0) return again;
  const [was, is] = [saidOfTasks(document), saidOfTasks(again)];
  const at = is.findIndex(({ id }, index) => id !== was[index]?.id);
  assert.deepEqual(is.toSpliced(at, 1), was);
  return again;
}
