import type { Hindered, Refused } from "../../ports/forge.ts";
import { callGit, type GitCall, type GitEnd, reasonOf } from "./call-git.ts";

const remoteTimeoutMs = 10 * 60_000;

/** A repository, and the programs that its configuration may have git run. */
export type Place = Pick<GitCall, "cwd" | "programs">;

/**
 * Run git against a remote.
 *
 * @returns How git ended, where it has reached the remote.
 */
export async function callRemote(
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
      hint: "See that `git push` works here by hand: the remote, its address, its login",
    };
  }
  return { kind: "hindered", reason: "offline", until: Date.now() + 60_000, detail: reason };
}

const noAccess =
  /authentication failed|permission denied|could not read (?:username|password)|returned error: 40[13]|repository .{0,300}not found|does not appear to be a git repository|no such remote|host key verification failed|can't be combined|invalid refspec|couldn't find remote ref/i;

/** Where a remote is pushed to; null where git knows no such remote, or more than one address of it. */
export async function pushAddress(remote: string, cwd: string): Promise<string | Refused> {
  const end = /^[\w.][\w./-]*$/.test(remote)
    ? await callGit(["remote", "get-url", "--push", "--all", remote], { cwd })
    : null;
  const urls = end?.exitCode === 0 ? end.stdout.split("\n").filter((line) => line !== "") : [];
  const [url] = urls;
  if (url !== undefined && urls.length === 1) return url;
  return {
    kind: "refused",
    reason:
      urls.length > 1 ? `the remote \`${remote}\` is pushed to several addresses` : `there is no remote \`${remote}\``,
    hint: "Add the remote with `git remote add`, or name another one with --remote",
  };
}

/** An address without a login in it. */
export const withoutLogin = (url: string): string => url.replace(/^(\w+:\/\/)[^@/\s]*@/, "$1");
