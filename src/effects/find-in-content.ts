import { findHarm, type GuardCase, type Guarded } from "../evidence/find-harm.ts";
import { isRelated, type Work } from "../evidence/is-related.ts";
import { readPaths } from "../markdown/lint/find-shared-files.ts";
import type { RedCheck } from "../model/check-run.ts";
import type { Task } from "../model/task.ts";
import { hashText } from "../model/text.ts";
import type { TreeChange, Trees } from "../ports/git.ts";

/** Maximum depth for following files that other files name. */
const mostRounds = 6;

/** Find harm. Other files are read from a content of the workspace only if needed. */
export async function findIn(
  trees: Trees | undefined,
  content: string | null,
  given: Omit<GuardCase, "read">,
): Promise<Guarded> {
  const texts = new Map<string, string | null>(given.changes.map(({ path, before }) => [path, before]));
  for (let round = 0; ; round += 1) {
    const missing = new Set<string>();
    const read = (path: string): string | null => {
      if (!texts.has(path)) missing.add(path);
      return texts.get(path) ?? null;
    };
    const found = findHarm({ ...given, read });
    if (missing.size === 0 || round === mostRounds || content === null || trees === undefined) {
      return found;
    }
    for (const [path, text] of await trees.read(content, [...missing])) texts.set(path, text);
  }
}

/** Return a function that tests whether a failed check relates to work. The checks' files are read from a content. */
export async function relatedIn(
  trees: Trees | undefined,
  content: string | null | undefined,
  checks: readonly RedCheck[],
): Promise<(check: RedCheck, work: Work) => boolean> {
  const files = checks.flatMap(({ file }) => file ?? []);
  const texts = content == null ? undefined : await trees?.read(content, files);
  return (check, work) => isRelated(check, work, (path) => texts?.get(path) ?? null);
}

/** The words of tasks, without their commit messages, which describe the work and ask for nothing. */
export const wordsOf = (tasks: readonly Task[]): { readonly task: string; readonly files: readonly string[] } => ({
  task: tasks
    .map(({ title, fields: { commit: _, ...fields } }) => [title, ...Object.values(fields)].join("\n"))
    .join("\n"),
  files: tasks.flatMap(({ fields }) => readPaths(fields.files ?? "")),
});

export interface Span {
  readonly from: string;
  readonly to: string;
}

/** Cache of accepted tasks' changes: each is compared once per start. */
const compared = new WeakMap<Trees, Map<string, readonly TreeChange[]>>();

export async function changesIn(trees: Trees, { from, to }: Span): Promise<readonly TreeChange[]> {
  const known = compared.get(trees) ?? new Map<string, readonly TreeChange[]>();
  compared.set(trees, known);
  const key = `${from} ${to}`;
  const changes = known.get(key) ?? ((await trees.changes(from, to)) ?? []).map(nameTexts);
  known.set(key, changes);
  return changes;
}

/** Replace the texts of a change by hashes. */
const nameTexts = ({ before, after, ...change }: TreeChange): TreeChange => ({
  ...change,
  before: before === null ? null : hashText(before),
  after: after === null ? null : hashText(after),
});
