import { deepEqual, equal, rejects } from "node:assert/strict";
import type { Contract } from "./contract.ts";
import type { OpenDocuments } from "./documents-subject.ts";
import { planChangeContract } from "./plan-change-contract.ts";
import { progressContract } from "./progress-contract.ts";
import { reportContract } from "./report-contract.ts";
import { fix, idsOf, plan } from "./sample-documents.ts";

export type { DocumentsSubject, OpenDocuments } from "./documents-subject.ts";

/** What every store of a spec's documents does. */
export const documentsContract: readonly Contract<OpenDocuments>[] = [
  {
    name: "reads the plan that stands there",
    run: async (open) => deepEqual(await idsOf(await open(plan, "")), ["1.1", "1.2"]),
  },
  {
    name: "gives the same object as long as nothing changed",
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
    name: "has a tick that is flushed later, before the flush and after it",
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
    name: "clears a box, and leaves one alone that is as it should be",
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
    name: "says what an edit was made on, edits of others included",
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
    name: "replaces the text of the plan with what is made of the text that stands there",
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
    name: "notices an edit by somebody else, of the same length too",
    run: async (open) => {
      const subject = await open(plan, "");
      await subject.documents.tick("1.1", true);
      await subject.overwrite("tasks.md", plan.replace("[ ] 1.2", "[x] 1.2"));
      deepEqual(await idsOf(subject), ["1.1", "1.2 done"]);
    },
  },
  {
    name: "reads other files of the spec by their names, and no path",
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
  ...planChangeContract,
  ...progressContract,
  ...reportContract,
];
