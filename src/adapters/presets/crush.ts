import type { Preset } from "./preset.ts";
import { noRights } from "./setup/tool-rights.ts";

/** Crush. */
export const crush: Preset = {
  name: "crush",
  command: "crush run --quiet",
  rights: { edit: { why: "it allows all that its agent asks for", instead: null }, full: noRights },
};
