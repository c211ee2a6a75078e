import { type Branch, isProtected, type Push } from "../../ports/branch.ts";
import type { Refused } from "../../ports/forge.ts";
import { callGit, type GitEnd, reasonOf } from "./call-git.ts";
import { callRemote, type Place } from "./call-remote.ts";
import { isHash } from "./read-head.ts";
import { readRemote } from "./read-remote.ts";

/**
 * Push one commit to one branch that is neither protected nor the default one of the remote. The lease is a check:
 * since the commit has to be a descendant of what the branch had, nothing of anybody is ever overwritten.
 */
export async function pushCommit(push: Push, place: Place, signal: AbortSignal): ReturnType<Branch["push"]> {
  const { remote, branch, commit, expect } = push;
  const isName = isHash(commit) && (await callGit(["check-ref-format", "--branch", branch], place))?.exitCode === 0;
  if (!isName) return { kind: "refused", reason: `\`${branch}\` is no branch`, hint: "Name another one with --branch" };
  if (isProtected(branch)) return protectedBranch(branch, "has a protected name");
  const there = await readRemote({ remote, branch, base: null }, place, signal);
  if (there.kind !== "remote") return there;
  if (there.defaultBranch === branch) return protectedBranch(branch, "is the default branch of the remote");
  if (there.head === commit) return { kind: "pushed" };
  if (there.head !== expect) return { kind: "moved", head: there.head };
  if (expect !== null && !(await isAncestor(expect, commit, place))) {
    return {
      ...{
        kind: "refused",
        reason: `${commit.slice(0, 12)} does not follow ${expect.slice(0, 12)}, which was pushed before`,
      },
      hint: "Nothing is ever forced: merge what is on the remote, then run again",
    };
  }
  const ref = `refs/heads/${branch}`;
  const end = await callRemote(
    [
      "push",
      "--porcelain",
      "--no-follow-tags",
      "--recurse-submodules=no",
      `--force-with-lease=${ref}:${expect ?? ""}`,
      remote,
      `${commit}:${ref}`,
    ],
    { ...place, hooks: true, signal },
  );
  if ("kind" in end) return end;
  return end.exitCode === 0 ? { kind: "pushed" } : readRejection(end, push, place, signal);
}

const protectedBranch = (branch: string, why: string): Refused => ({
  ...{ kind: "refused", reason: `\`${branch}\` ${why} and is never pushed to` },
  hint: "Name another branch with --branch",
});

async function isAncestor(older: string, newer: string, place: Place): Promise<boolean> {
  return (await callGit(["merge-base", "--is-ancestor", older, newer], place))?.exitCode === 0;
}

/** What a push that was not taken says: a line that begins with `!` where the remote was asked, else only stderr. */
async function readRejection(end: GitEnd, push: Push, place: Place, signal: AbortSignal): ReturnType<Branch["push"]> {
  const line = end.stdout.split("\n").find((each) => each.startsWith("!"));
  if (line === undefined) return { kind: "hook", output: `${end.stdout}${end.stderr}`.slice(-longestOutput) };
  if (
    /\((?:fetch first|stale info|non-fast-forward|already exists|cannot lock ref[^()\n]*|failed to update ref)\)/.test(
      line,
    )
  ) {
    const there = await readRemote({ ...push, base: null }, place, signal);
    if (there.kind !== "remote") return there;
    // Another start of ours may have pushed it in the meantime.
    return there.head === push.commit ? { kind: "pushed" } : { kind: "moved", head: there.head };
  }
  const said = end.stderr.split("\n").flatMap((each) => /^remote: ?(.*\S)/.exec(each)?.[1] ?? []);
  return {
    kind: "refused",
    reason: said.join(" ").slice(0, longestOutput) || /\[.*/.exec(line)?.[0] || reasonOf(end),
    hint: /GH013|secret/i.test(end.stderr)
      ? "Take out of the commits what the remote does not accept; a secret that was committed has to be revoked"
      : "Do what the remote asks for, then run again",
  };
}

/** Characters kept of what a hook or a remote says. */
const longestOutput = 4000;
