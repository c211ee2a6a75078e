import type { DeniedAct, PermissionLevel } from "../../model/permissions.ts";
import type { Preset } from "./preset.ts";

/** How a person allows an act: what does it, and the words for the command line where they are known. */
export type Advice = Required<Pick<DeniedAct, "allow">> & Pick<DeniedAct, "words">;

const everything: Advice = { allow: "Let it do anything", words: ["--permissions", "full"] };

/** How a person allows an act that a tool did not allow at a level. */
export function adviseRight({ name, rights: { edit } }: Preset, permissions: PermissionLevel): Advice {
  if (permissions === "full") return { allow: "Its own settings forbid it: change them" };
  if (permissions === "edit") return everything;
  if (typeof edit === "function") {
    return { allow: "Let it write files, run Verify and commit", words: ["--permissions", "edit"] };
  }
  if (edit.instead === null) return everything;
  return { allow: "Give it the flags for it", words: ["--executor-args", `${name}: ${edit.instead}`] };
}
