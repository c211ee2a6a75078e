import { readGsd } from "../read-gsd.ts";
import type { DialectEntry, DialectRow } from "./dialect.ts";

/** Plans of GSD, which are read by `fixpoint init` alone. */
export const gsd: DialectEntry = {
  name: "gsd",
  fits: ({ text }) => text.includes("</task>") && readGsd(text, "").tasks.length > 0,
};

export const gsdRow: DialectRow = {
  when: "it has `<task>` elements",
  unit: "a `<task>`: `fixpoint init --from 01-02-PLAN.md` writes a `tasks.md` that refers to it",
  id: "`1`, `2`, in the order of the elements",
  fields: "`<files>` and `<done>` become Files and Done when",
  verification: "`<verify><automated>`, or a `<verify>` that is nothing but a command, becomes Verify",
  context: "the lines of the element, to be read there",
  order: "as written",
  done: "a box in `tasks.md`; the plan itself is never edited",
};
