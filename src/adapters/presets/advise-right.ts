import type { PermissionLevel } from "../../model/permissions.ts";
import type { Preset } from "./preset.ts";

const everything = "--permissions full lets it do anything";

/** How a person allows an act that a tool did not allow at a level. */
export function adviseRight({ name, rights: { edit } }: Preset, permissions: PermissionLevel): string {
  const own = `--executor-args "${name}: …" gives it flags of its own`;
  if (permissions === "full") return `Its own settings forbid it: change them, then run again, or ${own}`;
  if (permissions === "edit") return `Run again with it allowed: ${own}; ${everything}`;
  if (typeof edit === "function") {
    return `Run again with --permissions edit: it may write files, run Verify, git add and git commit; ${everything}`;
  }
  const instead = edit.instead === null ? own : `--executor-args "${name}: ${edit.instead}"`;
  return `Run again with it allowed: ${instead}; ${everything}`;
}
