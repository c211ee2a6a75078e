import assert from "node:assert/strict";
import * as fc from "fast-check";
import { applyEdit, openPlan } from "../../../src/markdown/document/plan-document.ts";
import { tickEdits, tickTask } from "../../../src/markdown/tick-task.ts";
import type { Task } from "../../../src/model/task.ts";
import { plans } from "../markdown-arbitraries.ts";
import { property } from "./property.ts";
import { pickTask, saying } from "./saying.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Excludes texts that a tick may change, because fields may contain the ticked box. */
function withoutTexts({ left, ...found }: ReturnType<typeof saying>["tasks"][number], ticked: Task) {
  const isAround = found.start <= ticked.box && ticked.box < found.end;
  const hasTexts = isAround && (found.box !== ticked.box || ticked.boxes !== undefined);
  return { ...found, ...(hasTexts && { fields: {} }), ...(!isAround && left !== undefined && { left }) };
}

export const tickProperties = [
  property(
    "I6, I7: a tick changes one byte of its box, and of those of its checks",
    200_000,
    fc.tuple(plans, fc.nat(20)),
    ([text, which]) => {
      const document = openPlan(text);
      const task = pickTask(document.plan.tasks, which);
      if (task === null) return "no task";
      const ticked = tickTask(text, task.id, !task.done);
      const before = bytesOf(text);
      const after = bytesOf(ticked);
      assert.equal(after.length, before.length);
      const { boxes = [task.box] } = task;
      for (const box of boxes.map((at) => bytesOf(text.slice(0, at)).length)) after[box] = before[box] ?? 0;
      assert.deepEqual(after, before);
      assert.equal(ticked[task.box], task.done ? " " : "x");
      assert.ok(boxes.every((at) => "xX".includes(ticked.charAt(at)) !== task.done));

      const edited = tickEdits(document, task.id, !task.done).reduce(applyEdit, document);
      assert.equal(edited.text, ticked);
      const said = saying(document);
      const now = saying(edited);
      assert.deepEqual(now, saying(openPlan(ticked)));
      assert.deepEqual(
        now.tasks.map((found) => withoutTexts(found, task)),
        said.tasks.map((found) => withoutTexts(found.box === task.box ? { ...found, done: !task.done } : found, task)),
      );
      assert.deepEqual(now.phases, said.phases);

      assert.deepEqual(tickEdits(edited, task.id, !task.done), []);
      const back = tickTask(ticked, task.id, task.done);
      if (boxes.every((at) => text[at] === (task.done ? "x" : " "))) assert.equal(back, text);
      else assert.equal(back.length, text.length);
      return undefined;
    },
    [["- [ ] 1.1 Add\n  - **Do**: Add\n      - [x] 7.7 nested with id", 15]],
  ),
];
