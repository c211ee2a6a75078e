import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { InputError } from "../../model/errors.ts";
import type { Checkout } from "../../model/git-evidence.ts";
import { callGit, reasonOf } from "./call-git.ts";
import { findRepository } from "./find-repository.ts";

/** HEAD according to the repository's files. `unclear`: only git can read HEAD. `outside`: there is no repository. */
export type Head =
  | { readonly kind: "outside" }
  | { readonly kind: "unborn" }
  | { readonly kind: "commit"; readonly hash: string }
  | { readonly kind: "unclear" };

/**
 * Read the commit of HEAD in the repository around a folder, without starting git.
 *
 * @param find Finds that repository.
 */
export function readHead(folder: string, find = () => findRepository(folder)): Head {
  try {
    const found = find();
    return found === null ? { kind: "outside" } : readHeadOf(found.folder);
  } catch {
    return unclear;
  }
}

const unclear: Head = { kind: "unclear" };

function readHeadOf(repository: string): Head {
  const head = readFileSync(join(repository, "HEAD"), "utf8").trimEnd();
  if (isHash(head)) return { kind: "commit", hash: head };
  const ref = /^ref: (refs\/heads\/.+)$/.exec(head)?.[1];
  if (ref === undefined || isPlaceholder(head) || ref.includes("..")) return unclear;
  return readRef(commonFolder(repository), ref);
}

/** Return whether HEAD is the placeholder of another ref storage, whose HEAD only git can read. */
const isPlaceholder = (head: string): boolean => head.trimEnd() === "ref: refs/heads/.invalid";

/** Return the folder with the branches of a repository, which its worktrees share. */
function commonFolder(repository: string): string {
  const named = readIfThere(join(repository, "commondir"));
  return named === null ? repository : resolve(repository, named.trimEnd());
}

/** Read the ref's own file first, then the packed refs: git packs a ref before it removes the ref's own file. */
function readRef(folder: string, ref: string): Head {
  const own = readIfThere(join(folder, ref))?.trimEnd();
  if (own !== undefined) return isHash(own) ? { kind: "commit", hash: own } : unclear;
  const packed = readIfThere(join(folder, "packed-refs")) ?? "";
  const line = packed.split("\n").find((candidate) => candidate.endsWith(` ${ref}`));
  return line === undefined ? { kind: "unborn" } : { kind: "commit", hash: line.slice(0, -ref.length - 1) };
}

export const isHash = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/**
 * Describe the repositories around the workspace and the spec as a text to compare: identity, configuration and `HEAD`
 * file. Reads only files. Null if only git can read HEAD.
 */
export function markHead(workspace: string, spec: string): string | null {
  try {
    const marks = [workspace, spec].map((place) => {
      const folder = findRepository(place)?.folder;
      if (folder === undefined) return "";
      const files = ["HEAD", "config.worktree"].map((name) => join(folder, name));
      const [head, ...settings] = [...files, join(commonFolder(folder), "config")].map(readIfThere);
      const { ino, birthtimeMs } = statSync(folder);
      return isPlaceholder(head ?? "") ? null : [folder, ino, birthtimeMs, head, ...settings].join("\n");
    });
    return marks.includes(null) ? null : marks.join("\n");
  } catch {
    return null;
  }
}

/** Return the checked-out branch; null if HEAD is detached, or without a repository. */
export async function readBranch(cwd: string): Promise<string | null> {
  const end = await callGit(["symbolic-ref", "--quiet", "HEAD"], { cwd });
  return end?.exitCode === 0 ? end.stdout.trimEnd().replace(/^refs\/heads\//, "") : null;
}

/**
 * Read the checkout around a workspace with git; null without a repository.
 *
 * @param workspace Absolute folder.
 * @param spec Absolute folder of the spec. If the spec is in another repository, `root` of the result differs.
 */
export async function readCheckout(workspace: string, spec: string): Promise<Checkout | null> {
  const ask = async (cwd: string, ...args: string[]): Promise<string | null> => {
    const end = await callGit(args, { cwd });
    return end?.exitCode === 0 ? end.stdout.trimEnd() : null;
  };
  const [root, rootOfSpec, branch, head] = await Promise.all([
    ask(workspace, "rev-parse", "--show-toplevel"),
    ask(spec, "rev-parse", "--show-toplevel"),
    readBranch(workspace),
    ask(workspace, "rev-parse", "--quiet", "--verify", "HEAD^{commit}"),
  ]);
  if (root === null) return null;
  return {
    root: rootOfSpec === root ? root : `${root}, not of the spec in ${rootOfSpec ?? "no repository"}`,
    branch,
    head: head !== null && isHash(head) ? head : null,
  };
}

/**
 * Return whether two checkouts commit to the same branch of the same repository. A detached HEAD may only move forward.
 */
export async function isSameCheckout(before: Checkout, now: Checkout | null): Promise<boolean> {
  if (now === null || now.root !== before.root || now.branch !== before.branch) return false;
  if (before.head === null || before.head === now.head) return true;
  const { head, root: cwd } = before;
  // A different repository at the same path does not contain the commit.
  const words =
    now.branch === null ? ["merge-base", "--is-ancestor", head, "HEAD"] : ["cat-file", "-e", `${head}^{commit}`];
  return (await callGit(words, { cwd }))?.exitCode === 0;
}

/**
 * Return the paths that changed from `from` to `to` and differ in `now`: their changes were lost, for example because
 * HEAD was reset. Empty if `now` descends from `to`.
 *
 * @param root Top of the working tree.
 * @param from Commit before the changes; null for none.
 * @param to Commit with the changes.
 */
export async function lostPaths(
  root: string,
  { from, to, now }: { readonly from: string | null; readonly to: string; readonly now: string },
): Promise<readonly string[]> {
  const ask = async (...words: string[]): Promise<string[] | null> => {
    const end = await callGit(words, { cwd: root });
    return end?.exitCode === 0 ? end.stdout.split("\0").filter((path) => path !== "") : null;
  };
  if ((await ask("merge-base", "--is-ancestor", to, now)) !== null) return [];
  const names = ["-r", "-z", "--name-only"];
  const differing = await ask("diff-tree", ...names, "--no-renames", to, now);
  const changed =
    from === null
      ? await ask("ls-tree", ...names, "--full-tree", to)
      : await ask("diff-tree", ...names, "--no-renames", from, to);
  const isChanged = new Set(changed);
  return differing?.filter((path) => isChanged.has(path)) ?? [];
}

/**
 * Return the top of the working tree that contains a workspace and its spec, according to git.
 *
 * @param workspace Absolute folder.
 * @param spec Absolute folder of the spec.
 * @param isKept Whether `requireCommit` comes from a file or an earlier start, so that no option can undo it.
 * @throws {InputError} `repository-missing`: there is no repository, the spec is in another repository, or git cannot
 *   start.
 */
export async function repositoryOf(workspace: string, spec: string, isKept = false): Promise<string> {
  const [top, topOfSpec] = [await topOf(workspace, isKept), await topOf(spec, isKept)];
  if (topOfSpec === top) return top;
  const message = `Cannot commit \`${spec}\`, expected a folder of the repository \`${top}\``;
  throw missing(message, "Move the spec into that repository", isKept);
}

/**
 * Check that git has an author identity in a folder.
 *
 * @throws {InputError} `identity-missing`
 */
export async function checkIdentity(folder: string): Promise<void> {
  for (const identity of ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"]) {
    const end = await callGit(["var", identity], { cwd: folder });
    if (end?.exitCode === 0) continue;
    throw new InputError(
      `Cannot commit in \`${folder}\`, expected a user name and an email address: ${reasonOf(end)}`,
      {
        code: "identity-missing",
        ways: [
          {
            say: "Set them with git config user.name and git config user.email, or run without commits",
            words: ["--commit", "off"],
          },
        ],
      },
    );
  }
}

async function topOf(folder: string, isKept: boolean): Promise<string> {
  const end = await callGit(["rev-parse", "--show-toplevel"], { cwd: folder });
  if (end === null) {
    throw missing(`Cannot start \`git\` in \`${folder}\`, expected it on the PATH`, "Install git", isKept);
  }
  if (end.exitCode === 0) return end.stdout.slice(0, -1);
  const message = `Cannot find the repository around \`${folder}\`, expected one with a working tree: ${reasonOf(end)}`;
  throw missing(message, "Create a repository with git init", isKept);
}

function missing(message: string, mend: string, isKept: boolean): InputError {
  const first = isKept ? "set requireCommit to false in fixpoint.config.json, then " : "";
  return new InputError(message, {
    code: "repository-missing",
    ways: [
      {
        say: `${mend}, or ${first}run without commits`,
        words: ["--commit", "off"],
        without: ["--require-commit"],
      },
    ],
  });
}
