import type { Branch, RemoteBranch } from "../../ports/branch.ts";
import { callRemote, type Place, pushAddress, withoutLogin } from "./call-remote.ts";

/** Ask a remote, at the address that is pushed to, for the last commits of its branches. */
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
  // A pattern matches the ends of names, too.
  const headOf = (name: string): string | null => lines.find(([, ref]) => ref === `refs/heads/${name}`)?.[0] ?? null;
  const defaultBranch = defaultRef?.replace("ref: refs/heads/", "") ?? null;
  const known: RemoteBranch = {
    ...{ kind: "remote", url: withoutLogin(url), defaultBranch, head: headOf(branch) },
    baseHead: base === null ? null : headOf(base),
  };
  return known;
}
