import { type Branch, isProtected, type Push, type RemoteBranch } from "../../ports/branch.ts";
import type { Hindered, Refused } from "../../ports/forge.ts";
import { callGit, type GitCall, type GitEnd, noPrograms, reasonOf } from "./call-git.ts";
import { isHash } from "./read-head.ts";

const remoteTimeoutMs = 10 * 60_000;

type Place = Pick<GitCall, "cwd" | "programs">;

async function callRemote(
  args: readonly string[],
  { signal, ...place }: Place & { readonly hooks?: boolean; readonly signal: AbortSignal },
): Promise<GitEnd | Hindered | Refused> {
  signal.throwIfAborted();
  const end = await callGit(args, { ...place, remote: true, signal, timeoutMs: remoteTimeoutMs });
  signal.throwIfAborted();
  if (end?.exitCode === 0 || end?.exitCode === 1) return end;
  const said = end?.stderr ?? "";
  const reason = reasonOf(end);
  if (end === null || noAccess.test(said)) {
    return {
      kind: "refused",
      reason,
      hint: "Check the remote, its URL and the login: `git push` must work here",
    };
  }
  return { kind: "hindered", reason: "offline", until: Date.now() + 60_000, detail: reason };
}

const noAccess =
  /authentication failed|permission denied|could not read (?:username|password)|returned error: 40[13]|repository .{0,300}not found|does not appear to be a git repository|no such remote|host key verification failed|can't be combined|invalid refspec|couldn't find remote ref/i;

/** Return the push URL of a remote. Refuses an unknown remote, and a remote with several URLs. */
async function pushAddress(remote: string, cwd: string): Promise<string | Refused> {
  const end = /^[\w.][\w./-]*$/.test(remote)
    ? await callGit(["remote", "get-url", "--push", "--all", remote], { cwd })
    : null;
  const urls = end?.exitCode === 0 ? end.stdout.split("\n").filter((line) => line !== "") : [];
  const [url] = urls;
  if (url !== undefined && urls.length === 1) return url;
  return {
    kind: "refused",
    reason: urls.length > 1 ? `the remote \`${remote}\` has several push URLs` : `there is no remote \`${remote}\``,
    hint: "Add the remote with `git remote add`, or name another remote with --remote",
  };
}

export const withoutLogin = (url: string): string => url.replace(/^(\w+:\/\/)[^@/\s]*@/, "$1");

export async function readRemote(
  { remote, branch, base }: Parameters<Branch["remote"]>[0],
  place: Place,
  signal: AbortSignal,
): ReturnType<Branch["remote"]> {
  const url = await pushAddress(remote, place.cwd);
  if (typeof url !== "string") return url;
  const refs = [branch, ...(base === null ? [] : [base])].map((name) => `refs/heads/${name}`);
  const end = await callRemote(["ls-remote", "--symref", "--", url, "HEAD", ...refs], { ...place, signal });
  if ("kind" in end) return end;
  const lines = end.stdout.split("\n").map((line) => line.split("\t"));
  const defaultRef = lines.find(([to, name]) => name === "HEAD" && to?.startsWith("ref: ") === true)?.[0];
  // Compare whole names, because `ls-remote` also matches the ends of names.
  const headOf = (name: string): string | null => lines.find(([, ref]) => ref === `refs/heads/${name}`)?.[0] ?? null;
  const defaultBranch = defaultRef?.replace("ref: refs/heads/", "") ?? null;
  const known: RemoteBranch = {
    ...{ kind: "remote", url: withoutLogin(url), defaultBranch, head: headOf(branch) },
    baseHead: base === null ? null : headOf(base),
  };
  return known;
}

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

/** Read the commits and paths that HEAD has and a base branch of the remote lacks. */
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
    return { kind: "refused", reason, hint: `Check that the branch and \`${base}\` have a common commit` };
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
 * Fast-forward to a commit of the remote's branch.
 *
 * @param isClean Whether only the coordinator's own files differ from HEAD.
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

/**
 * Push one commit to a branch that is neither protected nor the remote's default. Overwrites nothing: the pushed commit
 * must descend from the last commit of the branch. With `--force-with-lease`, the push fails if the branch has moved.
 */
export async function pushCommit(push: Push, place: Place, signal: AbortSignal): ReturnType<Branch["push"]> {
  const { remote, branch, commit, expect } = push;
  const isName = isHash(commit) && (await callGit(["check-ref-format", "--branch", branch], place))?.exitCode === 0;
  if (!isName)
    return { kind: "refused", reason: `\`${branch}\` is not a branch name`, hint: "Name another branch with --branch" };
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
      hint: "fixpoint never forces a push: merge the remote branch, then run again",
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

/**
 * Classify a rejected push. The remote gives its reason on a line that begins with `!`; any other reason is on stderr.
 */
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
    // Another start may have pushed the commit meanwhile.
    return there.head === push.commit ? { kind: "pushed" } : { kind: "moved", head: there.head };
  }
  const said = end.stderr.split("\n").flatMap((each) => /^remote: ?(.*\S)/.exec(each)?.[1] ?? []);
  return {
    kind: "refused",
    reason: said.join(" ").slice(0, longestOutput) || /\[.*/.exec(line)?.[0] || reasonOf(end),
    hint: /GH013|secret/i.test(end.stderr)
      ? "Remove the rejected content from the commits, and revoke any secret that it contains"
      : "Follow the message of the remote, then run again",
  };
}

const longestOutput = 4000;
