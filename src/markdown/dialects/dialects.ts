import { bmad } from "./bmad.ts";
import type { DialectEntry, DialectRow } from "./dialect.ts";
import { gsd } from "./gsd.ts";
import { ccSdd, kiro } from "./kiro.ts";
import { openspec } from "./openspec.ts";
import { ralphSpecum } from "./ralph-specum.ts";
import { specKit } from "./spec-kit.ts";
import { superpowers } from "./superpowers.ts";

/** What has no manner of its own, or several. */
const checklist: DialectEntry = {
  name: "checklist",
  fits: () => true,
};

export const checklistRow: DialectRow = {
  when: "none of these",
  unit: "`- [ ] Title`, with notes below; boxes in it are checks",
  id: "the one that is written, else `H` and six digits; a fix is `H328960.1`",
  fields: "those that are written",
  verification: "its Verify, else the project's check",
  context: "the heading, and what stands between it and the first task",
  order: "as written",
  done: "its box",
};

/** All dialects; the first that fits decides. */
export const dialects: readonly DialectEntry[] = [
  gsd,
  superpowers,
  specKit,
  ralphSpecum,
  bmad,
  openspec,
  ccSdd,
  kiro,
  checklist,
];
