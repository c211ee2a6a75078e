import { spawn, spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { findCommand } from "../../src/adapters/processes/find-command.ts";
import { cli, type End } from "./cli.ts";
import { writeScript } from "./folder.ts";
import { lastingFolder } from "./project.ts";

/** Whether this user may hide a folder from programs that they start. */
export const canHideProc = spawnSync("unshare", ["--map-root-user", "--mount", "true"]).status === 0;

/** Run the program in a workspace where `/proc` is empty. @param listed Whether `ps` lists processes nevertheless. */
export async function withoutProc(
  { workspace }: { readonly workspace: string },
  words: readonly string[],
  { listed }: { readonly listed: boolean },
): Promise<End> {
  const folder = lastingFolder();
  copyFileSync(findCommand("ps", "/") ?? "ps", join(folder, "real-ps"));
  // It reads what is below the empty folder, as a system without `/proc` has another way to list processes.
  const line = `exec unshare --mount sh -c 'umount /proc; exec "$0" "$@"' '${folder}/real-ps' "$@"`;
  writeScript(folder, "ps", line);
  const hide = `mount -t tmpfs none /proc; ${listed ? `mount --bind '${folder}/ps' /bin/ps; ` : ""}exec "$0" "$@"`;
  const child = spawn("unshare", ["--map-root-user", "--mount", "sh", "-c", hide, process.execPath, cli, ...words], {
    cwd: workspace,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = new Promise<Pick<End, "exitCode" | "signal">>((settle) =>
    child.once("close", (exitCode, signal) => settle({ exitCode, signal })),
  );
  const [how, out, err] = await Promise.all([closed, text(child.stdout), text(child.stderr)]);
  return { ...how, out, err };
}
