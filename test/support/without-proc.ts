import { spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { findCommand } from "../../src/adapters/processes/shell-command.ts";
import { type Launched, launch } from "./cli.ts";
import { writeScript } from "./folder.ts";
import { lastingFolder } from "./project.ts";

/** Root needs no user namespace. Programs in different user namespaces cannot see each other's environment. */
export const isRoot = process.getuid?.() === 0;
const unshare = ["unshare", ...(isRoot ? [] : ["--map-root-user"]), "--mount"];

export const hindranceToHide = (): string | null =>
  spawnSync("env", [...unshare, "true"]).status === 0 ? null : "it needs unshare --mount";

/** @param listed Whether `ps` still lists processes. */
export function hidingProc(command: readonly string[], { listed }: { readonly listed: boolean }): readonly string[] {
  const folder = lastingFolder();
  copyFileSync(findCommand("ps", "/") ?? "ps", join(folder, "real-ps"));
  // Unmounts the empty folder for `ps` alone, like a system that lists processes without `/proc`.
  const line = `exec unshare --mount sh -c 'umount /proc; exec "$0" "$@"' '${folder}/real-ps' "$@"`;
  writeScript(folder, "ps", line);
  const hide = `mount -t tmpfs none /proc; ${listed ? `mount --bind '${folder}/ps' /bin/ps; ` : ""}exec "$0" "$@"`;
  return [...unshare, "sh", "-c", hide, ...command];
}

export const launchWithoutProc = (
  { workspace }: { readonly workspace: string },
  words: readonly string[],
  listed = true,
): Launched => launch(workspace, words, {}, (command) => hidingProc(command, { listed }));
