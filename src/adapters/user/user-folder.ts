import { createHash } from "node:crypto";
import { lstatSync, realpathSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { EnvironmentError } from "../../model/errors.ts";
import { checkWorkspace, isWithin, makeFolder } from "../files/folder.ts";
import { systemError } from "../files/refused.ts";

/**
 * The user's folder for a spec: `$XDG_STATE_HOME/fixpoint/<name>`, or below `~/.local/state`. No repository can contain
 * the folder: it is outside of every workspace, and only the user may write there.
 *
 * @param specFolder The spec folder, whose real path gives the name.
 * @throws {InputError} `workspace-missing`
 * @throws {EnvironmentError} `user-folder-unusable`
 */
export function userFolder(specFolder: string, workspace: string): string {
  const spec = realpathSync(specFolder);
  const base = userBase([spec, workspace]);
  return usable(base, () => makeOwn(join(base, nameFor(spec))));
}

/**
 * Folder for this machine's lease of a workspace, keyed by its real path. The folder is below `workspaces`, next to the
 * folders of specs. Machines that share a home folder have a folder each, since the same path may be another folder on
 * another machine.
 *
 * @throws {EnvironmentError} `user-folder-unusable`
 */
export function workspaceFolder(workspace: string): string {
  const real = realpathSync(workspace);
  const base = userBase([real]);
  return usable(base, () => makeOwn(join(makeOwn(join(base, "workspaces")), nameFor(`${hostname()}\0${real}`))));
}

const nameFor = (place: string): string => createHash("sha256").update(place).digest("hex").slice(0, 32);

/**
 * The parent folder of all user folders.
 *
 * @param places Absolute folders that must not contain it: the workspace, and the spec folder.
 * @throws {InputError} `workspace-missing`
 * @throws {EnvironmentError} `user-folder-unusable`
 */
export function userBase(places: readonly string[]): string {
  places.forEach(checkWorkspace);
  const given = process.env["XDG_STATE_HOME"] ?? "";
  const base = join(isAbsolute(given) ? given : join(homedir(), ".local", "state"), "fixpoint");
  return usable(base, () => {
    makeFolder(dirname(base));
    makeFolder(base, 0o700);
    const real = realpathSync(base);
    for (const place of places.map((path) => realpathSync(path))) {
      if (isWithin(real, place)) throw unusable(base, `a folder outside of \`${place}\``);
    }
    return makeOwn(base);
  });
}

function makeOwn(folder: string): string {
  makeFolder(folder, 0o700);
  checkOwner(folder);
  return folder;
}

function usable<Result>(base: string, act: () => Result): Result {
  try {
    return act();
  } catch (cause) {
    if (cause instanceof EnvironmentError) throw cause;
    throw unusable(base, `a writable folder (${systemError(cause)})`, cause);
  }
}

function checkOwner(folder: string): void {
  const found = lstatSync(folder);
  if (!found.isDirectory()) throw unusable(folder, "a folder, not a link or a file");
  const user = process.getuid?.();
  if (user !== undefined && found.uid !== user) throw unusable(folder, "a folder of the user who runs fixpoint");
  if (user !== undefined && (found.mode & 0o022) !== 0) throw unusable(folder, "a folder that only you may write to");
}

const unusable = (folder: string, expected: string, cause?: unknown): EnvironmentError =>
  new EnvironmentError(`Cannot remember consent in \`${folder}\`, expected ${expected}`, {
    code: "user-folder-unusable",
    hint: "Fix the folder, or name another one outside of the workspace with XDG_STATE_HOME",
    cause,
  });
