import { callGit } from "../call-git.ts";
import { split } from "./split.ts";
import type { TreeStore } from "./tree-store.ts";

/** Files of the index that are ignored as the workspace is now, but for those that the user's repository tracks. */
export async function ignoredIn({ call, ignored, isSeeded, top }: TreeStore): Promise<ReadonlySet<string>> {
  const listed = split(await call(["ls-files", "-z", "-i", "-c", ...ignored]));
  if (listed.length === 0 || !isSeeded) return new Set(listed);
  const end = await callGit(["ls-files", "-z"], { cwd: top, bytes: true });
  const tracked = new Set(split(end?.stdout ?? ""));
  return new Set(listed.filter((path) => !tracked.has(path)));
}
