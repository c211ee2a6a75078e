import type { Task } from "../../model/task.ts";
import { type DialectEntry, type DialectRow, isMost } from "./dialect.ts";

/** Plans of GitHub's spec-kit. */
export const specKit: DialectEntry = {
  name: "spec-kit",
  fits: ({ named }) => isMost(named, isOfSpecKit),
};

export const specKitRow: DialectRow = {
  when: "most ids are like `T001`, or most tasks have a marker like `[US1]`",
  unit: "`- [ ] T003 [P] [US1] Title`, one line or with notes below",
  id: "`T003`; a fix is `T003.1` and keeps `[US1]`",
  fields: "none; a fix has the path that the title names as Files",
  verification: "the project's check; Independent Test and Checkpoint of its phase are told",
  context:
    "`## Phase 3: User Story 1` (not `### Tests` in it), Goal; `spec.md`, `plan.md`, `research.md`, `data-model.md`",
  order: "as written; `[P]`; `(depends on T001, T002)`, `T004-T006`",
  done: "its box",
};

const isOfSpecKit = ({ id, markers }: Task): boolean =>
  /^T\d{3}/.test(id) || markers.some((marker) => /^US\d/.test(marker));
