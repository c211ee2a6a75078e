import { deepEqual, equal } from "node:assert/strict";
import type { FixTask } from "../model/fix-task.ts";
import type { Documents } from "../ports.ts";
import type { Contract } from "./contract.ts";

/** Documents to be tried, and the way around them: what really stands there, and an edit by somebody else. */
export interface DocumentsSubject {
  readonly documents: Documents;
  text(name: "tasks.md" | ".progress.md"): Promise<string>;
  overwrite(name: "tasks.md", text: string): Promise<void>;
}

/** Makes documents that hold these texts. */
export type OpenDocuments = (tasks: string, progress: string) => Promise<DocumentsSubject>;

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
  files: "src/größe.ts",
  verify: "`true`",
  commit: "fix(recovery): address missing file from task 1.1",
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
      await subject.documents.append({ kind: "fixes", task: "1.1", fixes: ["1.1.1"], final: "PASS" });
      const after = await subject.text(".progress.md");
      await subject.documents.append(completed);
      equal(await subject.text(".progress.md"), after);
      equal(await subject.documents.progress(), after);
      for (const line of ["- [x] 1.1 Größe lesen - abc1234", "- Task 1.1: 1 fix attempted (1.1.1) - Final: PASS"]) {
        equal(after.split("\n").filter((found) => found === line).length, 1);
      }
    },
  },
];
