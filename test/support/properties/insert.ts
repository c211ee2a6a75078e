import assert from "node:assert/strict";
import * as fc from "fast-check";
import { applyEdit, type Edit, openPlan, type PlanDocument } from "../../../src/markdown/document/plan-document.ts";
import { fixEdit, insertFixTask } from "../../../src/markdown/insert-fix-task.ts";
import { readVerify } from "../../../src/markdown/tasks/read-verify.ts";
import { trimBlank } from "../../../src/markdown/text/line-ending.ts";
import { InputError } from "../../../src/model/errors.ts";
import type { FixTask } from "../../../src/model/failure.ts";
import { nextFixNumber } from "../../../src/model/plan.ts";
import { fixId, type Task } from "../../../src/model/task.ts";
import { fixTexts, hostileTexts, plans } from "../markdown-arbitraries.ts";
import { assertReadsAsFix, storiesOf } from "./fix-block.ts";
import { property } from "./property.ts";
import { assertReadsInOnePiece } from "./refresh.ts";
import { pickTask, saidOfTasks, saying } from "./saying.ts";

interface Insertion {
  readonly document: PlanDocument;
  readonly task: Task;
  readonly fix: FixTask;
  readonly edit: Edit;
}

export function attempt(
  document: PlanDocument,
  texts: Omit<FixTask, "id" | "fixOf">,
  which: number,
  made = 0,
): Insertion | "no task" | "refused" {
  const { plan } = document;
  const task = pickTask(plan.tasks, which);
  if (task === null) return "no task";
  const fix = { ...texts, id: fixId(task.id, nextFixNumber(plan, task.id, made)), fixOf: task.id };
  try {
    return { document, task, fix, edit: fixEdit(document, fix) };
  } catch (error) {
    if (error instanceof InputError && error.code === "unsafe-insert") return "refused";
    throw error;
  }
}

const plain = {
  ...{ summary: "", error: "", attemptedFix: "", doneWhen: "", files: ".", verify: "true", commit: "fix: x" },
};
const insertions = fc.tuple(plans, fixTexts, fc.nat(20));

export const insertProperties = [
  property(
    "I4, I6, I7, I12, I13: an insertion adds the intended task only",
    150_000,
    insertions,
    ([text, texts, which]) => {
      const found = attempt(openPlan(text), texts, which);
      if (typeof found === "string") return found;
      const { document, task, fix, edit } = found;
      const edited = applyEdit(document, edit);
      assert.equal(edit.start, edit.end);
      const endings = new Set(text.match(/\r\n|\n|\r/g));
      const written = new Set(edit.text.match(/\r\n|\n|\r/g));
      assert.deepEqual(endings.size === 1 ? written : endings, endings);
      assert.equal(edited.text, `${text.slice(0, edit.start)}${edit.text}${text.slice(edit.start)}`);

      const after = openPlan(edited.text);
      const said = saying(after);
      assert.deepEqual(saying(edited), said);
      assertReadsInOnePiece(after);
      const index = after.plan.tasks.findIndex(({ id }) => id === fix.id);
      const added = after.plan.tasks[index];
      assert.ok(added !== undefined);
      assert.deepEqual(saidOfTasks(after).toSpliced(index, 1), saidOfTasks(document));
      assert.deepEqual(
        said.phases.map(({ title, tasks }) => ({ title, tasks: tasks.filter((id) => id !== fix.id) })),
        document.plan.phases.map(({ title, tasks }) => ({ title, tasks: [...tasks] })),
      );
      assertStandsBehind(after, index, task);
      assertIsFixOf(added, task, fix);
      const outcome = assertReadsAsFix(edited.text, added, fix, task);

      const undone = applyEdit(edited, { start: edit.start, end: edit.start + edit.text.length, text: "" });
      assert.deepEqual(saying(undone), saying(document));
      assert.equal(insertFixTask(edited.text, { ...fix, error: "other" }), edited.text);
      return outcome;
    },
    [
      // Without indentation, the copied Verify would become two fields.
      ["  -   [ ] 1.1 Add\n        - **Verify**: `Add`\n    - **Commit**: `feat: x`", plain, 0],
      // Fields with two kinds of bullets.
      ["* [ ] 1.1 Add\n  * [ ] checked by hand\n  - **Files**: src/a.ts\n\n", plain, 0],
      // A Verify in a separate paragraph that contains a box.
      ["- [ ] 1.1 Add\n  ```bash\n **Verify:**\n2. [ ] 7.7 second", plain, 0],
      ["- [ ] 1.1 Add\n\n[ref]: http://x\n- [ ] 1.2 Add", { ...plain, error: "[ref]: http://y" }, 0],
    ],
  ),

  property(
    "an insertion is refused because of the plan only",
    20_000,
    fc.tuple(plans, fixTexts, fixTexts, fc.nat(20)),
    ([text, one, other, which]) => {
      const document = openPlan(text);
      const [first, second] = [attempt(document, one, which), attempt(document, other, which)];
      assert.equal(typeof first === "string" ? first : "", typeof second === "string" ? second : "");
      return typeof first === "string" ? first : undefined;
    },
  ),

  property(
    "I13: an insertion shows machines that read lines one box and no signal",
    50_000,
    fc.tuple(hostileTexts, hostileTexts),
    ([error, attemptedFix]) => {
      const document = openPlan("# Plan\n\n- [ ] 1.3 Three\n\n- [x] 1.4 Four\n");
      const told = { summary: error, error, attemptedFix, doneWhen: error };
      const texts = { ...told, files: error, verify: "true", commit: error };
      const { text } = fixEdit(document, { id: "1.3.1", fixOf: "1.3", ...texts });
      const lines = text.split(/[\n\r\u2028\u2029\u0085\v\f]/);
      assert.equal(lines.filter((line) => /[-*+] \[[ xX]\]/.test(line)).length, 1);
      assert.doesNotMatch(text, /TASK_COMPLETE|VERIFICATION_PASS|<!--|\[VERIFY\]|\[P\]/);
      assert.deepEqual(text.match(/(?<!\\)\[FIX[^\]\\\n]*\]/g), ["[FIX 1.3]"]);
      assert.doesNotMatch(
        text,
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the test checks that there are none
        /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u200B]|\p{Cs}/u,
      );
      return undefined;
    },
  ),
];

function assertStandsBehind({ plan }: PlanDocument, index: number, { id, start }: Task): void {
  const at = plan.tasks.findIndex((task) => task.id === id && task.start === start);
  assert.ok(at !== -1 && at < index);
  const family = new Set<string>([id]);
  for (const task of plan.tasks.slice(at + 1, index)) {
    assert.ok(
      family.has(task.fixOf ?? "") || family.has(task.parent ?? ""),
      `${task.id} is between the task and its fix`,
    );
    family.add(task.id);
  }
}

function assertIsFixOf(added: Task, task: Task, fix: FixTask): void {
  const { done, fixOf, parent, phase, markers } = added;
  assert.deepEqual(
    { done, fixOf, parent, phase, markers: [...markers] },
    {
      done: false,
      fixOf: task.id,
      parent: task.parent,
      phase: task.phase,
      markers: [...storiesOf(task), `FIX ${task.id}`],
    },
  );
  assert.equal(added.id, fix.id);
  const isVerified = fix.verify !== null && (trimBlank(fix.verify) !== "" || task.fields.verify !== undefined);
  const fields = ["commit", "do", "doneWhen", "files", ...(isVerified ? ["verify"] : [])];
  assert.deepEqual(Object.keys(added.fields).sort(), fields);
  const verify = readVerify(task.fields.verify);
  if (isVerified && verify.kind === "command") assert.deepEqual(readVerify(added.fields.verify), verify);
}
