import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { findRepository } from "./find-repository.ts";

/** What HEAD names, as far as the files of the repository show: `unclear` when only git knows. */
export type Head =
  | { readonly kind: "outside" }
  /** The branch has no commit yet. */
  | { readonly kind: "unborn" }
  | { readonly kind: "commit"; readonly hash: string }
  | { readonly kind: "unclear" };

/**
 * Read the commit that HEAD names in the repository around a folder, without starting git.
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
  // Repositories that store refs in another way have a HEAD that means nothing.
  if (ref === undefined || ref === "refs/heads/.invalid" || ref.includes("..")) return unclear;
  return readRef(commonFolder(repository), ref);
}

/** Branches are shared by all worktrees of a repository. */
function commonFolder(repository: string): string {
  const named = readIfThere(join(repository, "commondir"));
  return named === null ? repository : resolve(repository, named.trimEnd());
}

/** Packed refs come second, because git packs a ref before it removes the ref's own file. */
function readRef(folder: string, ref: string): Head {
  const own = readIfThere(join(folder, ref))?.trimEnd();
  if (own !== undefined) return isHash(own) ? { kind: "commit", hash: own } : unclear;
  const packed = readIfThere(join(folder, "packed-refs")) ?? "";
  const line = packed.split("\n").find((candidate) => candidate.endsWith(` ${ref}`));
  return line === undefined ? { kind: "unborn" } : { kind: "commit", hash: line.slice(0, -ref.length - 1) };
}

/** The full hash of a commit. */
export const isHash = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
