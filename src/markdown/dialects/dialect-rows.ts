import type { Dialect } from "../../model/plan.ts";
import { bmadRow } from "./bmad.ts";
import type { DialectRow } from "./dialect.ts";
import { checklistRow } from "./dialects.ts";
import { gsdRow } from "./gsd.ts";
import { ccSddRow, kiroRow } from "./kiro.ts";
import { openspecRow } from "./openspec.ts";
import { ralphSpecumRow } from "./ralph-specum.ts";
import { specKitRow } from "./spec-kit.ts";
import { superpowersRow } from "./superpowers.ts";

/** What the documentation says of each dialect. */
export const dialectRows: Readonly<Record<Dialect, DialectRow>> = {
  gsd: gsdRow,
  superpowers: superpowersRow,
  "spec-kit": specKitRow,
  "ralph-specum": ralphSpecumRow,
  bmad: bmadRow,
  openspec: openspecRow,
  "cc-sdd": ccSddRow,
  kiro: kiroRow,
  checklist: checklistRow,
};
