import { deepEqual, equal, rejects } from "node:assert/strict";
import type { FixTask } from "../model/fix-task.ts";
import type { NewTask } from "../model/new-task.ts";
import type { PlanChange } from "../model/plan-change.ts";
import type { Contract } from "./contract.ts";
import type { DocumentsSubject, OpenDocuments } from "./documents-subject.ts";
import { reportContract } from "./report-contract.ts";

export type { DocumentsSubject, OpenDocuments } from "./documents-subject.ts";

const plan = `# Tasks

- [ ] 1.1 Größe lesen
  - **Files**: src/größe.ts
  - **Verify**: \`true\`

- [ ] 1.2 Schreiben
  - **Verify**: \`true\`
`;
const fix: FixTask = {
  id: "1.1.1",
  fixOf: "1.1",
  summary: "File not found",
  error: "File not found",
  attemptedFix: "Looked for it",
  doneWhen: 'Error "File not found" no longer occurs',
  files: "src/größe.ts",
  verify: "`true`",
  commit: "fix(recovery): address missing file from task 1.1",
};
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
const idsOf = async ({ documents }: DocumentsSubject): Promise<string[]> =>
  (await documents.read()).plan.tasks.map(({ id, done }) => `${id}${done ? " done" : ""}`);

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
    name: "notices an edit by somebody else, of the same length too",
    run: async (open) => {
      const subject = await open(plan, "");
      await subject.documents.tick("1.1", true);
      await subject.overwrite("tasks.md", plan.replace("[ ] 1.2", "[x] 1.2"));
      deepEqual(await idsOf(subject), ["1.1", "1.2 done"]);
    },
  },
  {
    name: "adds lines to the progress log, once, and only inserts",
    run: async (open) => {
      const log = "# Progress\n\n## Learnings\n- Größe zählt\n";
      const subject = await open(plan, log);
      const completed = { kind: "completed", task: "1.1", title: "Größe lesen", commit: "abc1234" } as const;
      await subject.documents.append(completed);
      await subject.documents.append({ kind: "fixes", task: "1.1", fixes: ["1.1.1"], superseded: [], final: "PASS" });
      const after = await subject.text(".progress.md");
      await subject.documents.append(completed);
      equal(await subject.text(".progress.md"), after);
      equal(await subject.documents.progress(), after);
      for (const line of ["- [x] 1.1 Größe lesen - abc1234", "- Task 1.1: 1 fix attempted (1.1.1) - Final: PASS"]) {
        equal(after.split("\n").filter((found) => found === line).length, 1);
      }
    },
  },
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
  {
    name: "takes over the logs of a batch in the order it is told, once, and removes them",
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
    name: "takes over a log again whose removal was missed",
    run: async (open) => {
      const subject = await open(plan, "# Progress\n");
      for (const log of ["- From the first\n", "- From the first\n"]) {
        await subject.writeMemberLog("1.1", log);
        await subject.documents.merge(["1.1"]);
      }
      equal(await subject.text(".progress.md"), "# Progress\n\n## Learnings\n- From the first\n");
    },
  },
  {
    name: "writes down what a reviewer suggests, and the result of a reality check in place of an earlier one",
    run: async (open) => {
      const subject = await open(plan, "# Progress\n\n## Reality Check (BEFORE)\n\nBroken: `npm test`\n");
      const { documents } = subject;
      const reality = {
        kind: "reality",
        task: "1.2",
        command: "npm test",
        exitCode: 1,
        output: "Größe fehlt",
      } as const;
      await documents.append(reality);
      await documents.append({ ...reality, exitCode: 0, output: "Größe stimmt" });
      for (let times = 0; times < 2; times += 1) {
        await documents.append({ kind: "suggestion", task: "1.1", text: "Größe benennen" });
      }
      const after = await subject.text(".progress.md");
      const count = (part: string): number => after.split(part).length - 1;
      deepEqual([count("Reality Check (AFTER)"), count("Größe stimmt"), count("Größe fehlt")], [1, 1, 0]);
      equal(count("Größe benennen"), 1);
    },
  },
  ...reportContract,
];
