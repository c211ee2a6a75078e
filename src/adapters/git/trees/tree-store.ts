import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { keptNames } from "../../../model/file-names.ts";
import { isWithin } from "../../files/folder.ts";
import { callGit, reasonOf } from "../call-git.ts";
import { realFolder } from "../find-repository.ts";
import type { Store } from "../git-environment.ts";
import { type Around, existing, ignoring, isOn, readRepository } from "./user-repository.ts";

export interface TreePlace {
  /** Absolute folder; paths are relative to it. */
  readonly workspace: string;
  /** Absolute spec folder, whose own files are ignored. */
  readonly specFolder: string;
  /** Absolute folder for the store, created if missing. */
  readonly folder: string;
  /** Whether this workspace shares the store of another workspace (false by default). */
  readonly isShared?: boolean;
  /** Paths to ignore, relative to the workspace (none by default). */
  readonly without?: readonly string[];
  /** Maximum number of files; with more files, the content is unknown (100 000 by default). */
  readonly mostFiles?: number;
  /** Maximum bytes of new and changed files at one time; with more bytes, the content is unknown (1 GiB by default). */
  readonly mostBytes?: number;
}

/** The content of a workspace is unknown. The message is the reason. */
export class TreeUnknown extends Error {
  /** Whether a repeated call would fail in the same way. */
  readonly isFinal: boolean;

  constructor(reason: string, isFinal = false) {
    super(reason);
    this.isFinal = isFinal;
  }
}

interface Input {
  readonly stdin?: string;
  readonly signal?: AbortSignal | undefined;
  /** Exit codes that count as success (only 0 by default). */
  readonly codes?: readonly number[];
  /** Maximum bytes of the answer, if more than usual. */
  readonly mostBytes?: number;
  /** Whether to read objects of the user's repository, too. */
  readonly all?: boolean;
  /** Absolute working tree (by default, that of the store). */
  readonly workTree?: string;
}

export interface TreeStore {
  readonly index: string;
  /** Path at which the index is saved for the next start; null for a store of several workspaces. */
  readonly nextIndex: string | null;
  /** Absolute paths of files with ignore rules of the repository and the user. Such a file may be missing. */
  readonly rules: readonly string[];
  readonly mostFiles: number;
  readonly mostBytes: number;
  /** Path prefix for packs of objects. */
  readonly packs: string;
  readonly top: string;
  /** Path from `top` to the workspace: empty, or with a trailing slash. */
  readonly prefix: string;
  /** Arguments of `git ls-files` to exclude files that are never stored. */
  readonly own: readonly string[];
  /** Arguments of `git ls-files` to exclude all ignored files, too. */
  readonly ignored: readonly string[];
  /** Whether the working tree belongs to a repository of the user. */
  readonly isSeeded: boolean;
  readonly hasModes: boolean;
  /** Whether names that differ only in case mean the same file. */
  readonly ignoresCase: boolean;
  /** Run git on the store, with one character per byte. @throws {TreeUnknown} */
  readonly call: (args: readonly string[], input?: Input) => Promise<string>;
}

/** Name of the temporary file next to the file to replace. A killed restore may leave such a file. */
export const draft = ".fixpoint-restore.tmp";
/** Time limit of a call. The first call reads all files. */
const timeoutMs = 120_000;
/** If an index was not written for a day, its start has ended. */
const staleMs = 86_400_000;

/**
 * Open the store of a workspace: a bare private repository over the working tree of the user's repository, or over the
 * workspace if there is none. The store uses no configuration and no programs of the user, and writes nothing to the
 * user's repository.
 *
 * @throws {TreeUnknown}
 */
export async function openTreeStore({
  workspace,
  specFolder,
  folder,
  isShared = false,
  without = [],
  mostFiles = 100_000,
  mostBytes = 1024 ** 3,
}: TreePlace): Promise<TreeStore> {
  const inside = realFolder(workspace);
  const found = await readRepository(inside);
  const around = found && { ...found, exclude: copyRules(found.exclude, folder) };
  const index = join(folder, `index-${randomUUID()}`);
  const top = around?.top ?? inside;
  prepareFolder({ folder, inside, top, isShared });
  await initialise(folder, inside, around?.format ?? "sha1");
  const path = relative(top, inside);
  const store: Store = { folder, workTree: top, index };
  const own = patternsOf({ top, inside, folder, specFolder: realFolder(specFolder) }, around !== null, without);
  return {
    ...{ index, nextIndex: isShared ? null : join(folder, "kept") },
    ...{ mostFiles, mostBytes, top, own, isSeeded: around !== null },
    hasModes: isOn(around, "core.filemode", true),
    ignoresCase: isOn(around, "core.ignorecase", false),
    packs: join(folder, "objects", "pack", "pack"),
    prefix: path === "" ? "" : `${path}/`,
    ignored: [...own, "--exclude-standard", ...(around === null ? [] : [`--exclude-from=${around.exclude}`])],
    rules: [...(found === null ? [] : [found.exclude]), around?.settings.get(ignoring) ?? usersRules()],
    call: (args, input) => callStore(args, store, around, input),
  };
}

/** Path of the user's ignore rules, unless a setting names another file. */
const usersRules = (): string => join(process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "git", "ignore");

async function callStore(
  args: readonly string[],
  { workTree: ownTree, ...own }: Store,
  around: Around | null,
  { stdin = "", signal, codes = [0], all = false, mostBytes, workTree = ownTree }: Input = {},
): Promise<string> {
  const store: Store = { ...own, workTree };
  const end = await callGit([...settingsOf(around), ...args], {
    ...{ cwd: workTree, stdin, bytes: true, timeoutMs },
    store: all && around !== null ? { ...store, objects: around.objects } : store,
    ...(signal !== undefined && { signal }),
    ...(mostBytes !== undefined && { mostBytes }),
  });
  const { exitCode = null, stdout = "", stderr = "" } = end ?? {};
  // For an unreadable entry, git exits with 0 and only warns.
  if (exitCode !== null && codes.includes(exitCode) && !stderr.includes("could not open")) return stdout;
  const isFinal = end === null || (exitCode === null && signal?.aborted !== true);
  throw new TreeUnknown(exitCode === 0 ? stderr.trim() : reasonOf(end), isFinal);
}

const settingsOf = (around: Around | null): string[] =>
  [
    ...["core.attributesFile=/dev/null", "core.fsync=none", "core.looseCompression=1", "core.autocrlf=false"],
    ...Array.from(around?.settings ?? [], ([name, value]) => `${name}=${value}`),
  ].flatMap((setting) => ["-c", setting]);

/** Copy the ignore rules in `.git`: rules that an executor adds there must not hide its changes. */
function copyRules(path: string, folder: string): string {
  const copy = join(folder, "info", "rules");
  mkdirSync(join(folder, "info"), { recursive: true });
  writeFileSync(copy, existing(path) === path ? readFileSync(path) : "");
  return copy;
}

/** Override the workspace's attributes, so that git stores the bytes unchanged, without filters. */
const attributes = "* -text -crlf -ident !eol !filter !working-tree-encoding\n";

export const workspaceNote = (folder: string): string => join(folder, "info", "workspace");

/**
 * @throws {TreeUnknown} if the paths in the stored trees have another base: files would be restored to wrong places.
 */
function prepareFolder({
  folder,
  inside,
  top,
  isShared,
}: Readonly<Record<"folder" | "inside" | "top", string>> & { readonly isShared: boolean }): void {
  mkdirSync(join(folder, "info"), { recursive: true });
  const [note, place] = [join(folder, "info", "top"), relative(inside, top)];
  if (existsSync(note) && readFileSync(note, "utf8") !== place) {
    throw new TreeUnknown("the workspace is in another repository than at the first attempt", true);
  }
  writeFileSync(note, place);
  if (!isShared) writeFileSync(workspaceNote(folder), inside);
  writeFileSync(join(folder, "info", "attributes"), attributes);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (name.startsWith("index-") && age > staleMs) rmSync(path, { recursive: true, force: true });
  }
}

async function initialise(folder: string, cwd: string, format: string): Promise<void> {
  const note = join(folder, "info", "format");
  if (existsSync(note) && readFileSync(note, "utf8") === format) return;
  const end = await callGit(["init", "-q", "--bare", "--template=", `--object-format=${format}`, folder], { cwd });
  if (end?.exitCode !== 0) throw new TreeUnknown(reasonOf(end), end === null);
  writeFileSync(note, format);
}

function patternsOf(
  { top, inside, folder, specFolder }: Readonly<Record<"top" | "inside" | "folder" | "specFolder", string>>,
  isRepository: boolean,
  without: readonly string[],
): string[] {
  const below = (path: string): string[] =>
    isWithin(path, top) && path !== top ? [`/${relative(top, path).replace(/[*?[\\]/g, "\\$&")}`] : [];
  const spec = isWithin(inside, specFolder)
    ? keptNames.map((name) => `${below(specFolder).join("")}/${name}`)
    : below(specFolder);
  const others = without.flatMap((path) => below(join(inside, path)));
  const never = [".fixpoint", draft, ...(isRepository ? [] : ["node_modules"]), ...below(folder), ...spec, ...others];
  return never.map((pattern) => `--exclude=${pattern}`);
}

/** Split output in which each entry ends with a zero byte. */
export const split = (output: string): string[] => output.split("\0").filter((entry) => entry !== "");

export const foldersOf = (path: string): string[] => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));

/** Convert a path from the top of a working tree (one character per byte) to a path from the workspace. */
export const below = ({ prefix }: { readonly prefix: string }, path: string): string => utf8(path).slice(prefix.length);

/** Decode a text that has one character per byte. */
export const utf8 = (bytes: string): string => Buffer.from(bytes, "latin1").toString();

/** Convert a path from the top of a working tree (one character per byte) for the file system. */
export const placeOf = ({ top }: { readonly top: string }, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${top}/`), Buffer.from(path, "latin1")]);
