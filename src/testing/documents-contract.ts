import { deepEqual, equal, rejects } from "node:assert/strict";
import type { Contract } from "./host.ts";
import type { OpenDocuments } from "./sample-documents.ts";
import { fix, idsOf, newTask, plan, split } from "./sample-documents.ts";

export type { DocumentsSubject, OpenDocuments } from "./sample-documents.ts";

/** Requirements for every store of a spec's documents. */
export const documentsContract: readonly Contract<OpenDocuments>[] = [
  {
    name: "reads the current plan",
    run: async (open) => deepEqual(await idsOf(await open(plan, "")), ["1.1", "1.2"]),
  },
  {
    name: "returns the same object while nothing changes",
    run: async (open) => {
      const { documents } = await open(plan, "");
      equal(await documents.read(), await documents.read());
    },
  },
  {
    name: "ticks one box and changes no other character",
    run: async (open) => {
      const subject = await open(plan, "");
      await subject.documents.tick("1.2", true);
      equal(await subject.text("tasks.md"), plan.replace("[ ] 1.2", "[x] 1.2"));
      deepEqual(await idsOf(subject), ["1.1", "1.2 done"]);
    },
  },
  {
    name: "shows a tick that is flushed later, before and after the flush",
    run: async (open) => {
      const subject = await open(plan, "");
      await subject.documents.tick("1.2", true, { durable: false });
      deepEqual(await idsOf(subject), ["1.1", "1.2 done"]);
      await subject.documents.flush?.();
      equal(await subject.text("tasks.md"), plan.replace("[ ] 1.2", "[x] 1.2"));
    },
  },
  {
    name: "closes a fix task with a tick and a note in its block, once",
    run: async (open) => {
      const subject = await open(plan, "");
      await subject.documents.insert(fix);
      await subject.documents.close("1.1.1", "1.1.2");
      const text = await subject.text("tasks.md");
      await subject.documents.close("1.1.1", "1.1.2");
      equal(await subject.text("tasks.md"), text);
      deepEqual(await idsOf(subject), ["1.1", "1.1.1 done", "1.2"]);
      equal(text.split("- **Superseded by**: 1.1.2").length, 2);
    },
  },
  {
    name: "clears a box, and leaves a clear box unchanged",
    run: async (open) => {
      const subject = await open(plan.replaceAll("[ ]", "[x]"), "");
      await subject.documents.tick("1.1", true);
      await subject.documents.tick("1.2", false);
      deepEqual(await idsOf(subject), ["1.1 done", "1.2"]);
    },
  },
  {
    name: "inserts a fix task below the task it repairs, once",
    run: async (open) => {
      const subject = await open(plan, "");
      await subject.documents.insert(fix);
      const after = await subject.text("tasks.md");
      await subject.documents.insert(fix);
      equal(await subject.text("tasks.md"), after);
      deepEqual(await idsOf(subject), ["1.1", "1.1.1", "1.2"]);
    },
  },
  {
    name: "reports the text before an edit, including edits of others",
    run: async (open) => {
      const subject = await open(plan, "");
      const first = await subject.documents.read();
      const own = await subject.documents.tick("1.1", true);
      equal(own.before, first);
      equal(own.after, await subject.documents.read());
      await subject.overwrite("tasks.md", plan);
      const { before } = await subject.documents.tick("1.2", true);
      equal(before.plan.tasks[0]?.done, false);
    },
  },
  {
    name: "replaces the text of the plan with a rewritten version of it",
    run: async (open) => {
      const subject = await open(plan, "");
      await subject.documents.tick("1.1", true);
      const same = await subject.documents.rewrite(({ text }) => text);
      equal(same.after, same.before);
      const { before, after } = await subject.documents.rewrite(({ text }) => text.replace("[ ] 1.2", "[x] 1.2"));
      deepEqual(
        [before, after].map(({ plan: { tasks } }) => tasks.map(({ done }) => done)),
        [
          [true, false],
          [true, true],
        ],
      );
      equal(await subject.text("tasks.md"), plan.replaceAll("[ ]", "[x]"));
      equal(after, await subject.documents.read());
    },
  },
  {
    name: "notices an edit of someone else, even of the same length",
    run: async (open) => {
      const subject = await open(plan, "");
      await subject.documents.tick("1.1", true);
      await subject.overwrite("tasks.md", plan.replace("[ ] 1.2", "[x] 1.2"));
      deepEqual(await idsOf(subject), ["1.1", "1.2 done"]);
    },
  },
  {
    name: "reads other files of the spec by name, not by path",
    run: async (open) => {
      const { documents } = await open(plan, "", { "design.md": "# Entwurf für 📏\n" });
      equal(await documents.artifact("design.md"), "# Entwurf für 📏\n");
      equal(await documents.artifact("requirements.md"), null);
      equal(await documents.artifact("constructor"), null);
      for (const name of ["", "..", "../design.md", "a/design.md", "a\\design.md", "/etc/hosts", "design.md\0"]) {
        await rejects(documents.artifact(name), { code: "bad-artifact-name" });
      }
    },
  },
  {
    name: "ticks a split task and inserts its parts after it, once",
    run: async (open) => {
      const subject = await open(plan, "");
      const { before, after } = await subject.documents.change(split);
      deepEqual(await idsOf(subject), ["1.1 done", "1.1.2", "1.1.3", "1.2"]);
      const text = await subject.text("tasks.md");
      const again = await subject.documents.change(split);
      equal(await subject.text("tasks.md"), text);
      equal(again.after, again.before);
      deepEqual([before.text, after.text], [plan, text]);
    },
  },
  {
    name: "changes nothing if a change is impossible",
    run: async (open) => {
      const subject = await open(plan, "");
      await rejects(subject.documents.change({ ...split, tasks: [newTask("1.2", "Länge lesen")] }), {
        code: "unsafe-insert",
      });
      equal(await subject.text("tasks.md"), plan);
    },
  },
  {
    name: "adds a line to the progress log, once",
    run: async (open) => {
      const subject = await open(plan, "# Progress\n");
      const completed = { kind: "completed", task: "1.1", title: "Größe lesen", commit: "abc1234" } as const;
      for (let times = 0; times < 2; times += 1) await subject.documents.append(completed);
      const log = await subject.text(".progress.md");
      equal(log.split("- [x] 1.1 Größe lesen - abc1234\n").length, 2);
      equal(await subject.documents.progress(), log);
    },
  },
  {
    name: "merges the logs of a batch in the given order, once, and removes them",
    run: async (open) => {
      const subject = await open(plan, "# Progress\n\n## Learnings\n- Größe zählt\n");
      const { documents } = subject;
      await subject.writeMemberLog("1.1", "- From the first\n");
      await subject.writeMemberLog("1.2/../x", "## Learnings\n- From the second\n");
      equal(await documents.progress("1.1"), "- From the first\n");
      equal(await documents.progress("1.2/../x"), "## Learnings\n- From the second\n");
      await documents.merge(["1.2/../x", "1.1", "1.9"]);
      const after = await subject.text(".progress.md");
      equal(after, "# Progress\n\n## Learnings\n- Größe zählt\n- From the second\n- From the first\n");
      deepEqual([await documents.progress("1.1"), await documents.progress("1.2/../x")], ["", ""]);
      await documents.merge(["1.2/../x", "1.1", "1.9"]);
      equal(await subject.text(".progress.md"), after);
      equal(await documents.progress(), after);
    },
  },
  {
    name: "writes a line of the summary once",
    run: async (open) => {
      const { documents, text } = await open("", "");
      for (let times = 0; times < 2; times += 1)
        await documents.summarize({ kind: "retried", task: "1.1", adjustment: "Größe angeben" });
      equal((await text("SUMMARY.md")).split("Größe angeben").length, 2);
    },
  },
  {
    name: "replaces the previous report, and returns its path",
    run: async (open) => {
      const { documents, reportAt } = await open("", "");
      for (const path of [null, "reports/für mich/stuck.md"]) {
        const told = await documents.report("# Größe: Stuck Report\n", path);
        equal(await documents.report("# Länge: Stuck Report\n", path), told);
        equal(await reportAt(told), "# Länge: Stuck Report\n");
      }
      equal(await documents.report("# Größe: Stuck Report\n", "reports/stuck.md"), "reports/stuck.md");
    },
  },
  {
    name: "writes no report outside the workspace, or into folders of git or of a run",
    run: async (open) => {
      const { documents } = await open("", "");
      const outside = ["..", ".", "../stuck.md", "a/../../stuck.md", "/stuck.md", "stuck.md\0"];
      const guarded = [".git", ".git/config", "a/.GIT/stuck.md", ".fixpoint/stuck.md", "a/../.fixpoint/run-1/stuck.md"];
      for (const path of [...outside, ...guarded]) {
        await rejects(documents.report("# Größe: Stuck Report\n", path), {
          name: "InputError",
          code: "report-outside",
        });
      }
    },
  },
];
