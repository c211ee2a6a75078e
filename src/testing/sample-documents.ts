import type { FixTask } from "../model/failure.ts";
import type { NewTask, PlanChange } from "../model/plan-change.ts";
import type { DocumentsSubject } from "./documents-subject.ts";

/** The initial plan of the store contracts. */
export const plan = `# Tasks

- [ ] 1.1 Größe lesen
  - **Files**: src/größe.ts
  - **Verify**: \`true\`

- [ ] 1.2 Schreiben
  - **Verify**: \`true\`
`;

/** A fix task for the first task of `plan`. */
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

/** A task that an executor proposes. */
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
/** A change that splits the first task of `plan`. */
export const split: PlanChange = {
  task: "1.1",
  place: "behind",
  tick: true,
  tasks: [newTask("1.1.2", "Länge lesen"), newTask("1.1.3", "Breite lesen")],
};

/** List the task ids of a plan, each with `done` if it is ticked. */
export const idsOf = async ({ documents }: DocumentsSubject): Promise<string[]> =>
  (await documents.read()).plan.tasks.map(({ id, done }) => `${id}${done ? " done" : ""}`);
