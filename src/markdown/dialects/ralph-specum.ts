import type { Task } from "../../model/task.ts";
import { type DialectEntry, type DialectRow, sampleOf } from "./dialect.ts";

/** Plans of ralph-specum, whose tasks say what proves them. */
export const ralphSpecum: DialectEntry = {
  name: "ralph-specum",
  fits: (seen) => {
    const sample = sampleOf(seen);
    return sample.filter(hasFields).length * 4 > sample.length;
  },
};

export const ralphSpecumRow: DialectRow = {
  when: "more than a quarter of the first 40 tasks have a field other than Files",
  unit: "`- [ ] 1.3 [P] Title` with its fields below; boxes in it are checks",
  id: "`1.3`; a fix is `1.3.1`",
  fields: "Do, Files, Done when, Verify, Commit",
  verification: "its Verify; `[VERIFY]` tasks go to the verifier",
  context: "`## Phase 1: …`; `requirements.md`, `design.md`, `research.md`",
  order: "as written; `[P]`",
  done: "its box",
};

/** Whether a task has a field other than Files, which stands in plans of all kinds. */
const hasFields = ({ fields }: Task): boolean => Object.keys(fields).some((key) => key !== "files");
