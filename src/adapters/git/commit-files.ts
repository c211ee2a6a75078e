import { existsSync } from "node:fs";
import { join } from "node:path";
import { callGit } from "./call-git.ts";
import { findRepository, type Repository } from "./find-repository.ts";
import { gitRefused, reasonOf } from "./git-refused.ts";
import { readStatus } from "./read-status.ts";
import { pathInside, type SpecFiles } from "./spec-files.ts";
import { waitForLock } from "./wait-for-lock.ts";

/**
 * Commit these files as they are on disk, and nothing else: what others have staged stays staged. Ignored files are
 * left out.
 *
 * @param lockTimeoutMs How long a lock is waited for.
 * @returns Whether there was anything to commit.
 * @throws {EnvironmentError} `git-locked`, `git-refused`
 */
export async function commitFiles(
  message: string,
  { workspace, specFiles, lockTimeoutMs }: { workspace: string; specFiles: SpecFiles; lockTimeoutMs: number },
): Promise<boolean> {
  const repository = findRepository(workspace);
  if (repository === null) throw gitRefused("commit", workspace, "no repository is there");
  const { top } = repository;
  const asked = pathsInside(specFiles, repository);
  if (asked.length === 0) return false;
  const status = await readStatus(top, asked);
  if ("end" in status) throw gitRefused("commit", top, reasonOf(status.end));
  if (status.dirty.length === 0) return false;
  refuseUnfinished(repository);

  const run = (args: readonly string[], stdin?: string) =>
    waitForLock(() => callGit(args, stdin === undefined ? { cwd: top } : { cwd: top, stdin }), lockTimeoutMs);
  const paths = status.dirty.map(({ path }) => path);
  const untracked = status.dirty.filter(({ tracked }) => !tracked).map(({ path }) => path);
  // Only a path that the index knows can be committed by itself.
  const added = untracked.length === 0 ? null : await run(["add", "--intent-to-add", "--", ...untracked]);
  if (added !== null && added.exitCode !== 0) throw gitRefused("commit", top, reasonOf(added));
  const options = ["--only", "--quiet", "--no-verify", "--cleanup=whitespace", "--file=-"];
  const end = await run(["commit", ...options, "--", ...paths], message.replaceAll("\0", "\uFFFD"));
  if (end?.exitCode === 0) return true;
  // What is staged may differ where the files themselves do not.
  const unchanged =
    end?.exitCode === 1 ? await callGit(["diff", "--quiet", "HEAD", "--", ...paths], { cwd: top }) : null;
  if (unchanged?.exitCode === 0) return false;
  if (untracked.length > 0) await callGit(["rm", "--cached", "--force", "--quiet", "--", ...untracked], { cwd: top });
  throw gitRefused("commit", top, reasonOf(end));
}

function pathsInside(files: SpecFiles, repository: Repository): string[] {
  return Object.values(files).map((file) => {
    const path = pathInside(file, repository);
    if (path === null) throw gitRefused("commit", repository.top, `the spec's file ${file} does not belong there`);
    return path;
  });
}

/** Commits in between belong to what is being done. Git itself lets one pass in the middle of a rebase. */
function refuseUnfinished({ top, folder }: Repository): void {
  const found = unfinished.find(([file]) => existsSync(join(folder, file)));
  if (found !== undefined) throw gitRefused("commit", top, `a ${found[1]} is in progress`);
}

const unfinished = [
  ["MERGE_HEAD", "merge"],
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
] as const;
