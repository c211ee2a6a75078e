import { deepEqual, equal, rejects } from "node:assert/strict";
import type { NewTask } from "../model/new-task.ts";
import type { PlanChange } from "../model/plan-change.ts";
import type { Contract } from "./contract.ts";
import type { OpenDocuments } from "./documents-subject.ts";
import { fix, idsOf, plan } from "./sample-documents.ts";

const newTask = (id: string, title: string): NewTask => ({
  id,
  markers: [],
  title,
  fields: {
    do: "Größe teilen",
    files: "src/größe.ts",
    doneWhen: "Geteilt",
    verify: "`npm test`",
    commit: "`feat: size`",
  },
});
const split: PlanChange = {
  task: "1.1",
  place: "behind",
  tick: true,
  tasks: [newTask("1.1.2", "Länge lesen"), newTask("1.1.3", "Breite lesen")],
};

/** How every store changes a plan on request. */
export const planChangeContract: readonly Contract<OpenDocuments>[] = [
  {
    name: "ticks a split task and inserts its parts behind it, and changes no other character",
    run: async (open) => {
      const subject = await open(plan, "");
      await subject.documents.change(split);
      deepEqual(await idsOf(subject), ["1.1 done", "1.1.2", "1.1.3", "1.2"]);
      const after = await subject.text("tasks.md");
      const [first = "", second = ""] = plan.replace("[ ] 1.1", "[x] 1.1").split("\n\n- [ ] 1.2");
      equal(after.startsWith(`${first}\n\n- [ ] 1.1.2 Länge lesen\n  - **Do**: Größe teilen\n`), true);
      equal(after.endsWith(`\n  - **Commit**: \`feat: size\`\n\n- [ ] 1.2${second}`), true);
    },
  },
  {
    name: "makes a change of the plan once",
    run: async (open) => {
      const subject = await open(plan, "");
      const { before, after } = await subject.documents.change(split);
      const text = await subject.text("tasks.md");
      const again = await subject.documents.change(split);
      equal(await subject.text("tasks.md"), text);
      equal(again.after, again.before);
      equal(after, await subject.documents.read());
      deepEqual([before.text, after.text], [plan, text]);
    },
  },
  {
    name: "makes up for what is missing of a change",
    run: async (open) => {
      const subject = await open(plan, "");
      await subject.documents.change(split);
      const text = await subject.text("tasks.md");
      await subject.overwrite("tasks.md", text.replace("[x] 1.1", "[ ] 1.1"));
      await subject.documents.change(split);
      equal(await subject.text("tasks.md"), text);
    },
  },
  {
    name: "inserts what a task needs before it, and what follows from it behind its fixes",
    run: async (open) => {
      const subject = await open(plan, "");
      await subject.documents.insert(fix);
      await subject.documents.change({ task: "1.1", place: "before", tasks: [newTask("1.0", "Maßband holen")] });
      await subject.documents.change({ task: "1.1", place: "behind", tasks: [newTask("1.1.2", "Aufräumen")] });
      deepEqual(await idsOf(subject), ["1.0", "1.1", "1.1.1", "1.1.2", "1.2"]);
    },
  },
  {
    name: "changes nothing when a change cannot be made",
    run: async (open) => {
      const subject = await open(plan, "");
      const change: PlanChange = { ...split, tasks: [newTask("1.2", "Länge lesen")] };
      await rejects(subject.documents.change(change), { code: "unsafe-insert" });
      equal(await subject.text("tasks.md"), plan);
    },
  },
];
