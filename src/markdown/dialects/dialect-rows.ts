import type { Dialect } from "../../model/plan.ts";

/**
 * Description of a dialect: a row of the table in docs/formats.md. No reader imports this file, so that bundles do not
 * contain it.
 */
interface DialectRow {
  /** Condition by which a plan of this dialect is recognized. */
  readonly when: string;
  readonly unit: string;
  readonly id: string;
  readonly fields: string;
  /** Verification of a task without a Verify field. */
  readonly verification: string;
  /** Texts that an executor receives besides the task. */
  readonly context: string;
  readonly order: string;
  /** Boxes that are ticked with a task. */
  readonly done: string;
}

export const dialectRows: Readonly<Record<Dialect, DialectRow>> = {
  gsd: {
    when: "the plan has `<task>` elements",
    unit: "a `<task>`: `fixpoint init --from 01-02-PLAN.md` writes a `tasks.md` that refers to it",
    id: "`1`, `2`, in the order of the elements",
    fields: "`<files>` becomes `Files`, and `<done>` becomes `Done when`",
    verification: "`<verify><automated>`, or a `<verify>` that is only a command, becomes Verify",
    context: "the lines of the element, which the executor reads in the plan",
    order: "as written",
    done: "a box in `tasks.md`; the plan itself is never edited",
  },
  superpowers: {
    when: "most tasks are headings `### Task 1: Title` with boxes below them, as superpowers and ralphex write them",
    unit: "the heading with everything below it",
    id: "`1`; a fix is `1.1`, below the last step",
    fields: "Files, and all other fields that are written",
    verification:
      "the commands below `Validation Commands`, else the project's check; the executor runs the commands of its steps",
    context: "the heading above it",
    order: "as written",
    done: "the boxes of all its steps",
  },
  "spec-kit": {
    when: "most ids are like `T001`, or most tasks have a marker like `[US1]`",
    unit: "`- [ ] T003 [P] [US1] Title`, one line or with notes below",
    id: "`T003`; a fix is `T003.1` and keeps `[US1]`",
    fields: "none; the Files of a fix are the path in its task's title",
    verification: "the project's check; the prompt has the Independent Test and Checkpoint of its phase",
    context:
      "`## Phase 3: User Story 1` (not `### Tests` in it), Goal; `spec.md`, `plan.md`, `research.md`, `data-model.md`",
    order: "as written; `[P]`; `(depends on T001, T002)`, `T004-T006`",
    done: "its box",
  },
  "ralph-specum": {
    when: "more than a quarter of the first 40 tasks have a field other than Files",
    unit: "`- [ ] 1.3 [P] Title` with its fields below; boxes in the notes are checks, not tasks",
    id: "`1.3`; a fix is `1.3.1`",
    fields: "Do, Files, Done when, Verify, Commit",
    verification: "its Verify; `[VERIFY]` tasks go to the verifier",
    context: "`## Phase 1: …`; `requirements.md`, `design.md`, `research.md`",
    order: "as written; `[P]`",
    done: "its box",
  },
  bmad: {
    when: "most tasks are below `Tasks / Subtasks`, or name `(AC: 1, 3)`",
    unit: "`- [ ] Task 1: Title`; the boxes without ids below it are its steps",
    id: "`1`; a fix is `1.1`",
    fields: "none",
    verification: "the project's check",
    context: "the acceptance criteria that `(AC: 1, 3)` names, the `Status:` of the story, its other documents",
    order: "as written",
    done: "its box and the boxes of its steps; `Status:` is not changed",
  },
  openspec: {
    when: "most ids begin with the number of their heading, `1.2` below `## 1. Setup`, or are like `` `tdg-2.1` ``; or most tasks are below such headings and have no id",
    unit: "`- [ ] 1.1 Title`; each sub-task `1.1.1` below it is a separate unit",
    id: "`1.1`, `tdg-2.1`; a fix is `1.1.1`, or the next free id",
    fields: "none",
    verification: "the project's check, with `openspec validate` if `openspec` is installed",
    context: "`## 1. Setup`; `proposal.md`, `design.md`",
    order: "as written; `depends: tdg-1`",
    done: "its box; the box of a group is ticked with its last task",
  },
  "cc-sdd": {
    when: "as for `kiro`, and a task has `(P)`, `_Boundary: …_` or `_Depends: …_`, or is not nested in its group",
    unit: "`- [ ] 1.2 (P) Title` with bullets below; `1.` without bullets is a group of the tasks after it",
    id: "`1`, `1.2`; a fix of `1.2` is `1.2.1`",
    fields: "none",
    verification: "the project's check",
    context:
      "its group, and the requirements that `_Requirements: 1.2_` names; `requirements.md`, `design.md`, `research.md`",
    order: "as written; `(P)`; `_Depends: 1.2_`",
    done: "its box; the box of a group is ticked with its last task",
  },
  kiro: {
    when: "most ids have the form `1` or `1.2`, and some tasks are nested, have `_Requirements: …_`, or are below `# Implementation Plan`; or the ids begin with the number of a heading such as `Task 1:` or `任务 1：`",
    unit: "`- [ ] 1.2 Title` with bullets below; `1.` is a task if it has its own bullets, else a group",
    id: "`1`, `1.2`; a fix of `1` with tasks up to `1.5` is `1.6`",
    fields: "none",
    verification: "the project's check",
    context:
      "the heading, its groups, and the requirements that `_Requirements: 1.2_` names; `requirements.md`, `design.md`",
    order: "nested tasks come first; `- [ ]* 1.2` is skipped",
    done: "its box; the box of a group is ticked with its last task",
  },
  checklist: {
    when: "no other dialect fits",
    unit: "`- [ ] Title`, with notes below; boxes in the notes are checks, not tasks",
    id: "the written id, else `H` and six digits; a fix is `H328960.1`",
    fields: "all fields that are written",
    verification: "its Verify, else the project's check",
    context: "the heading, and the text between it and the first task",
    order: "as written",
    done: "its box",
  },
};
