import { callGit } from "../call-git.ts";
import { split } from "./split.ts";
import type { TreeStore } from "./tree-store.ts";

/** Files of the index that the current rules ignore, except those tracked by the user's repository. */
export async function ignoredIn({ call, ignored, isSeeded, top }: TreeStore): Promise<ReadonlySet<string>> {
  const listed = split(await call(["ls-files", "-z", "-i", "-c", ...ignored]));
  if (listed.length === 0 || !isSeeded) return new Set(listed);
  const end = await callGit(["ls-files", "-z"], { cwd: top, bytes: true });
  const tracked = new Set(split(end?.stdout ?? ""));
  return new Set(listed.filter((path) => !tracked.has(path)));
}
