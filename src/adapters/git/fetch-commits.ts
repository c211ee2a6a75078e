import type { Branch } from "../../ports/branch.ts";
import type { Hindered, Refused } from "../../ports/forge.ts";
import { callGit, noPrograms, reasonOf } from "./call-git.ts";
import { callRemote, type Place } from "./call-remote.ts";
import { readRemote } from "./read-remote.ts";

const fetched = async (
  remote: string,
  branch: string,
  place: Place,
  signal: AbortSignal,
): Promise<null | Hindered | Refused> => {
  const end = await callRemote(
    [
      "fetch",
      "--no-tags",
      "--no-recurse-submodules",
      "--no-write-fetch-head",
      remote,
      `+refs/heads/${branch}:refs/remotes/${remote}/${branch}`,
    ],
    { ...place, signal },
  );
  if ("kind" in end) return end;
  return end.exitCode === 0
    ? null
    : { kind: "refused", reason: reasonOf(end), hint: `Fetch \`${branch}\` from \`${remote}\` by hand` };
};

const isHere = async (commit: string, { cwd }: Place): Promise<boolean> =>
  (await callGit(["cat-file", "-e", `${commit}^{commit}`], { cwd }))?.exitCode === 0;

/** The commits and paths that HEAD has and a base of the remote has not. */
export async function readAhead(
  { remote, base }: Parameters<Branch["ahead"]>[0],
  place: Place,
  signal: AbortSignal,
): ReturnType<Branch["ahead"]> {
  const there = await readRemote({ remote, branch: base, base }, place, signal);
  if (there.kind !== "remote") return there;
  const { head } = there;
  if (head === null) {
    return { kind: "refused", reason: `the remote has no branch \`${base}\``, hint: "Name another base with --base" };
  }
  const failed = (await isHere(head, place)) ? null : await fetched(remote, base, place, signal);
  if (failed !== null) return failed;
  const [log, count, diff] = [
    await callGit(["log", "-50", "--format=%H%x09%s", `${head}..HEAD`], place),
    await callGit(["rev-list", "--count", `${head}..HEAD`], place),
    await callGit(["diff", ...noPrograms, "--name-only", "--no-renames", "-z", `${head}...HEAD`], place),
  ];
  if (log?.exitCode !== 0 || count?.exitCode !== 0 || diff?.exitCode !== 0) {
    const reason = reasonOf(log?.exitCode === 0 ? diff : log);
    return { kind: "refused", reason, hint: `See that the branch and \`${base}\` have a commit in common` };
  }
  const lines = log.stdout.split("\n").filter((line) => line !== "");
  return {
    kind: "ahead",
    commits: lines.map((line) => ({
      hash: line.slice(0, line.indexOf("\t")),
      subject: line.slice(line.indexOf("\t") + 1),
    })),
    count: Number(count.stdout),
    paths: diff.stdout.split("\0").filter((path) => path !== ""),
  };
}

/**
 * Go forward to a commit of the remote's branch.
 *
 * @param isClean Whether nothing differs from HEAD but what is the coordinator's own.
 */
export async function adoptCommit(
  { remote, branch, head }: Parameters<Branch["adopt"]>[0],
  { isClean, ...place }: Place & { readonly isClean: () => Promise<boolean> },
  signal: AbortSignal,
): ReturnType<Branch["adopt"]> {
  const failed = (await isHere(head, place)) ? null : await fetched(remote, branch, place, signal);
  if (failed !== null) return failed;
  const follows = await callGit(["merge-base", "--is-ancestor", "HEAD", head], place);
  if (follows?.exitCode !== 0 || !(await isClean())) return { kind: "diverged" };
  const log = await callGit(["log", "--format=%an <%ae>", `HEAD..${head}`], place);
  const end = await callGit(["merge", "--ff-only", "--no-edit", head], { ...place, remote: true });
  if (end?.exitCode !== 0) return { kind: "diverged" };
  return { kind: "adopted", authors: [...new Set((log?.stdout ?? "").split("\n").filter((line) => line !== ""))] };
}
