import type { DeniedAct, PermissionLevel } from "../../model/permissions.ts";
import type { Preset } from "./preset.ts";

/** How a person allows an act: what it takes, and the words for the command line where they are known. */
export type Advice = Required<Pick<DeniedAct, "allow">> & Pick<DeniedAct, "words">;

const everything = "--permissions full lets it do anything";

/** How a person allows an act that a tool did not allow at a level. */
export function adviseRight({ name, rights: { edit } }: Preset, permissions: PermissionLevel): Advice {
  const own = `--executor-args "${name}: …" gives it flags of its own`;
  if (permissions === "full") return { allow: `Its own settings forbid it: change them, or ${own}` };
  if (permissions === "edit") return { allow: `Allow it: ${own}; ${everything}`, words: ["--permissions", "full"] };
  if (typeof edit === "function") {
    const allow = `With --permissions edit it may write files, run Verify, git add and git commit; ${everything}`;
    return { allow, words: ["--permissions", "edit"] };
  }
  if (edit.instead === null) return { allow: `Allow it: ${own}; ${everything}`, words: ["--permissions", "full"] };
  const args = `${name}: ${edit.instead}`;
  return { allow: `Allow it: --executor-args "${args}"; ${everything}`, words: ["--executor-args", args] };
}
