import type { FixTask } from "../model/failure.ts";
import type { NewTask, PlanChange } from "../model/plan-change.ts";
import type { TaskId } from "../model/task.ts";
import type { Documents } from "../ports/documents.ts";

export const plan = `# Tasks

- [ ] 1.1 Größe lesen
  - **Files**: src/größe.ts
  - **Verify**: \`true\`

- [ ] 1.2 Schreiben
  - **Verify**: \`true\`
`;

export const fix: FixTask = {
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

export const newTask = (id: string, title: string): NewTask => ({
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
export const split: PlanChange = {
  task: "1.1",
  place: "behind",
  tick: true,
  tasks: [newTask("1.1.2", "Länge lesen"), newTask("1.1.3", "Breite lesen")],
};

/** List the task ids of a plan, each with `done` if it is ticked. */
export const idsOf = async ({ documents }: DocumentsSubject): Promise<string[]> =>
  (await documents.read()).plan.tasks.map(({ id, done }) => `${id}${done ? " done" : ""}`);

/** Documents under test, with direct access to read their content, and to edit them as another program would. */
export interface DocumentsSubject {
  readonly documents: Documents;
  /** Read a document; empty if it does not exist. */
  text(name: "tasks.md" | ".progress.md" | "SUMMARY.md"): Promise<string>;
  /** Read the report at a path that the documents returned. */
  reportAt(path: string): Promise<string>;
  overwrite(name: "tasks.md", text: string): Promise<void>;
  /** Write the log of a batch member, as the executor of the member would. */
  writeMemberLog(member: TaskId, text: string): Promise<void>;
}

/** Creates documents with these texts. `artifacts`: texts of other spec files, by name. */
export type OpenDocuments = (
  tasks: string,
  progress: string,
  artifacts?: Readonly<Record<string, string>>,
) => Promise<DocumentsSubject>;
