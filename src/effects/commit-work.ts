import { findLeftovers } from "../evidence/find-leftovers.ts";
import { readPaths } from "../markdown/lint/find-shared-files.ts";
import type { AttemptKey } from "../model/reply.ts";
import type { Task, TaskId } from "../model/task.ts";
import type { TreeChange } from "../ports/git.ts";
import { namePaths } from "../wording/render-harm.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Commit the changes of accepted attempts with the tasks' own messages. Changes from before or between the attempts are
 * excluded. Idempotent: a second call finds nothing to commit.
 *
 * @param attempt The accepted attempt; null if there is none, or more than one.
 * @returns The abbreviated hash; null if there was nothing to commit.
 */
export async function commitWork(
  ports: WholePorts,
  tasks: readonly Task[],
  attempt: AttemptKey | null,
): Promise<string | null> {
  const { git } = ports;
  const [first, ...others] = tasks.map(messageOf);
  if (git === undefined || first === undefined) return null;
  const named = tasks.flatMap(({ fields }) => readPaths(fields.files ?? ""));
  const changed = await changedBy(ports, tasks, attempt);
  const places = changed === null ? undefined : [...changed, ...unseen(ports)];
  return git.commit([first, ...others].join("\n\n"), "work", named, places);
}

function messageOf({ id, title, fields }: Task): string {
  const message = fields.commit?.replaceAll("`", "").trim() ?? "";
  return message === "" ? `${id} ${title}` : message;
}

/** Paths changed by the attempts, without leftovers of failed attempts; null if unknown. */
async function changedBy(
  ports: WholePorts,
  tasks: readonly Task[],
  attempt: AttemptKey | null,
): Promise<readonly string[] | null> {
  const { attempts, trees, branch } = ports;
  const made = attempt !== null && attempts.knows(attempt) ? await attempts.recall(attempt) : null;
  const to = made?.verify?.tree ?? (await trees?.now());
  if (to == null || trees === undefined) return null;
  const contents = new Map(attempts.passed().map(({ task, content }) => [task, content]));
  const spans = new Map(
    tasks.map(({ id }) => {
      const base = attempts.contentBefore(id);
      // Exclude work merged from other tasks meanwhile.
      const root = attempts.rootOf(id);
      const end = attempts.wasApart(root) ? (contents.get(id) ?? contents.get(root) ?? to) : to;
      return [`${base} ${end}`, { base, end }];
    }),
  );
  const all = new Map<string, TreeChange>();
  for (const { base, end } of spans.values()) {
    const changes = base === null ? null : await trees.changes(base, end);
    if (changes === null) return null;
    for (const change of changes) all.set(change.path, change);
  }
  // For a pull request, all changes are committed.
  const { found = null, left = null } = branch === undefined ? (made ?? {}) : {};
  const own = found === null || left === null ? null : await trees.changes(found, left);
  const task = tasks.map(({ title, fields }) => [title, ...Object.values(fields)].join("\n")).join("\n");
  const over = findLeftovers([...all.values()], new Set(own?.map(({ path }) => path)), task);
  if (over.length > 0) renderLeftOver(ports, over);
  for (const { path } of over) all.delete(path);
  return [...all.keys()];
}

function renderLeftOver({ onProgress }: WholePorts, over: readonly { readonly path: string }[]): void {
  const named = namePaths(over.map(({ path }) => path));
  onProgress?.({
    type: "notice",
    message: `Not committed, since failed attempts left these files and no task names them: ${named}`,
  });
}

/** Paths of the spec, relative to the workspace. Recorded workspace contents do not include them. */
function unseen({ workspace = "", spec = "" }: WholePorts): string[] {
  if (spec === workspace) return ["SUMMARY.md", "stuck-report.md"];
  return spec.startsWith(`${workspace}/`) ? [spec.slice(workspace.length + 1)] : [];
}

export async function commitSpec(
  { git, plan }: Pick<WholePorts, "git" | "plan">,
  tasks: readonly TaskId[],
): Promise<void> {
  const what = tasks.length === 1 ? `task ${tasks[0]}` : `tasks ${tasks.join(", ")}`;
  await plan.exclusively(async () => {
    await git?.commit(`chore(spec): update progress for ${what}`);
  });
}
