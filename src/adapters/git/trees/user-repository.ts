import { statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { callGit } from "../call-git.ts";
import { findRepository } from "../find-repository.ts";

export interface Around {
  readonly top: string;
  readonly format: string;
  readonly objects: string;
  /** Absolute path of the repository's own ignore list; `/dev/null` if there is none. */
  readonly exclude: string;
  /** Settings of the repository about ignored files and the file system, by name in lower case. */
  readonly settings: ReadonlyMap<string, string>;
}

export const ignoring = "core.excludesfile";
/** Settings to read: the user's ignore rules, and the facts about the file system that `git init` found. */
const askedSettings = "^core\\.(excludesfile|ignorecase|precomposeunicode|filemode|symlinks)$";

/** Return null if there is no repository, git rejects it, or it ignores the whole workspace. */
export async function readRepository(workspace: string): Promise<Around | null> {
  const found = findRepository(workspace);
  if (found === null) return null;
  const { top } = found;
  const asked = ["--show-object-format", "--git-path", "objects", "--git-path", "info/exclude"];
  const end = await callGit(["rev-parse", ...asked], { cwd: top });
  const [format, objects, exclude, ...more] = end?.exitCode === 0 ? end.stdout.split("\n") : [];
  if (format === undefined || objects === undefined || exclude === undefined || more.length > 1) return null;
  if (workspace !== top && (await isIgnored(top, relative(top, workspace)))) return null;
  return {
    ...{ top, format, objects: resolve(top, objects), exclude: existing(resolve(top, exclude)) },
    settings: await readSettings(top),
  };
}

async function readSettings(top: string): Promise<ReadonlyMap<string, string>> {
  const said = await callGit(["config", "-z", "--get-regexp", askedSettings], { cwd: top });
  const lines = (said?.stdout ?? "").split("\0").filter((line) => line !== "");
  // The last value of a setting counts; a setting without a value is true.
  const settings = new Map(lines.map((line) => line.split("\n")).map(([name = "", value = "true"]) => [name, value]));
  if (!settings.delete(ignoring)) return settings;
  const path = await callGit(["config", "--type=path", "--get", ignoring], { cwd: top });
  return path?.exitCode === 0 ? settings.set(ignoring, path.stdout.trimEnd()) : settings;
}

/** @param unset The result if the repository does not set it. */
export function isOn(around: Around | null, name: string, unset: boolean): boolean {
  const value = around?.settings.get(name);
  return value === undefined ? unset : !/^(?:false|no|off|0*)$/i.test(value);
}

/**
 * Return whether git ignores a path of a working tree. A folder counts as ignored only if git ignores all files in the
 * folder.
 */
export async function isIgnored(top: string, path: string): Promise<boolean> {
  const which = ["-z", "-o", "-i", "--directory", "--exclude-standard"];
  const end = await callGit(["ls-files", ...which, "--", path], { cwd: top });
  const [first = ""] = end?.stdout.split("\0") ?? [];
  return first !== "" && `${path}/`.startsWith(first);
}

/** Return the path of a file; `/dev/null` if there is no file. */
export const existing = (path: string): string =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : "/dev/null";
