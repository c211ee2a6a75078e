import type { Problem } from "../../model/rule.ts";
import { roleOf, type Task, type TaskId } from "../../model/task.ts";
import { findingBy } from "../finding.ts";
import { splitLines } from "../text/line-ending.ts";

const finding = findingBy({
  "shared-file": (owner: string, id: string, paths: readonly string[]) => [
    `Tasks \`${owner}\` and \`${id}\` are both marked [P] and name ${paths.map((path) => `\`${path}\``).join(", ")}`,
    "Remove [P] from one of them: tasks that are done at the same time must not write the same file.",
  ],
});

/** Find files named by two tasks of a batch: consecutive `[P]` tasks of one phase, ignoring fixes between them. */
export function findSharedFiles(tasks: readonly Task[]): Problem[] {
  const problems: Problem[] = [];
  let owners = new Map<string, TaskId>();
  let phase: string | null | undefined;
  for (const task of tasks) {
    if (task.fixOf !== null) continue;
    if (task.phase !== phase || !isParallel(task)) owners = new Map();
    phase = task.phase;
    if (!isParallel(task)) continue;
    for (const [owner, paths] of sharedPaths(task, owners))
      problems.push(finding("shared-file", task.line, owner, task.id, paths));
  }
  return problems;
}

const isParallel = (task: Task): boolean => task.markers.includes("P") && roleOf(task) === "executor";

/**
 * Find the paths that both a task and earlier tasks name, grouped by the first task that names them. The task becomes
 * the owner of its other paths.
 */
function sharedPaths({ id, fields }: Task, owners: Map<string, TaskId>): Map<TaskId, string[]> {
  const shared = new Map<TaskId, string[]>();
  for (const path of readPaths(fields.files ?? "")) {
    const owner = owners.get(path);
    if (owner === undefined) owners.set(path, id);
    else if (!shared.get(owner)?.push(path)) shared.set(owner, [path]);
  }
  return shared;
}

const codeSpan = /`([^`]+)`/g;
const remark = /\([^()]*\)/g;
const bullet = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/;
const action = /^(?:\*\*)?(?:create|creates|new|modify|modified|edit|update|add|delete|remove|rename)(?:\*\*)?:[ \t]*/i;
const path = /^(?!https?:)(?=.*[./])[\w./@~*{}<>[\]$+-]+$/;
const named = /[\w*}>\]]/;
const betweenPaths = /,(?![^{}]{0,200}\})/;
const braces = /^([^{}]*)\{([^{}]*)\}(.*)$/;
const mostWords = 20;
const lineNumber = /:\d[\d,-]*$/;
/** Words for files that are only read. */
const untouched = /\b(?:read|reads|reading|reference|unchanged|no changes?|verify only|see)\b/i;
const notPaths = new Set(["n/a", "N/A", "and/or", "e.g.", "i.e.", "etc."]);

/**
 * Read the paths of the files to write from a `Files` field: from its code spans, or from its lines and commas.
 *
 * @param value The source after the label, as `Task.fields` gives it.
 * @returns Each path once, without `./` at its start.
 */
export function readPaths(value: string): string[] {
  const found = splitLines(value).flatMap((line) => {
    if (untouched.test(line)) return [];
    // Drop remarks after a path: they may contain words that look like paths.
    const items = line.replace(bullet, "").replace(remark, "");
    const spans = Array.from(items.matchAll(codeSpan), ([, code = ""]) => code);
    return spans.length > 0 ? spans : items.split(betweenPaths);
  });
  return [...new Set(found.flatMap((item) => pathsOf(item.trim().replace(action, "")).flatMap(readPath)))];
}

/** Expand braces as in `{a,b}.md` to one path per word, for at most two lists of braces. */
function pathsOf(item: string, depth = 2): string[] {
  const [, before = "", words, behind = ""] = braces.exec(item) ?? [];
  if (words === undefined || depth === 0 || !words.includes(",")) return [item];
  return words
    .split(",")
    .slice(0, mostWords)
    .flatMap((word) => pathsOf(`${before}${word.trim()}${behind}`, depth - 1));
}

function readPath(item: string): string[] {
  const bare = item.replace(lineNumber, "").replace(/^(?:\.\/)+/, "");
  return path.test(bare) && named.test(bare) && !notPaths.has(bare) ? [bare] : [];
}
