import type { Plan } from "../../model/plan.ts";
import type { Problem } from "../../model/rule.ts";
import type { Task, TaskFields } from "../../model/task.ts";
import { editDistance } from "../../model/text.ts";
import { findOpenCommands } from "../document/plan-problems.ts";
import { isGeneratedId } from "../tasks/read-title.ts";
import { splitLines } from "../text/line-ending.ts";
import { finding } from "./finding.ts";

/**
 * Fields that every task needs, each with an example. A task that writes no files needs neither `Files` nor `Commit`.
 */
const labels = {
  do: ["Do", "Write the parser"],
  doneWhen: ["Done when", "The parser reads the sample"],
  verify: ["Verify", "npm test"],
} as const satisfies Partial<Record<keyof TaskFields, readonly [label: string, example: string]>>;
type FieldName = keyof typeof labels;
const names = Object.keys(labels) as FieldName[];

/** Find tasks that lack a field that other tasks of the plan have, and plans without any Verify. */
export function findMissingFields({ dialect, tasks }: Pick<Plan, "dialect" | "tasks">): Problem[] {
  const used = names.filter((name) => tasks.some(({ fields }) => fields[name] !== undefined));
  const own = tasks.filter(({ aside, isGroup }) => aside === undefined && isGroup !== true);
  // In the dialect `ralph-specum`, skip boxes without an id, which are not meant as tasks, and tasks with a field that
  // ends within a command. Other rules report both.
  const cut = new Set(findOpenCommands(own).map(({ line }) => line));
  const named = dialect === "ralph-specum" ? own.filter(({ id, line }) => !isGeneratedId(id) && !cut.has(line)) : [];
  const missing = named.flatMap((task) => missingFields(task, used));
  const first = own.find(({ done }) => !done) ?? tasks[0];
  return first === undefined || used.includes("verify") ? missing : [finding("no-verify", first.line), ...missing];
}

function missingFields(task: Task, used: readonly FieldName[]): Problem[] {
  const missing = used.filter((name) => task.fields[name] === undefined);
  const [first] = missing;
  if (first === undefined) return [];
  const [, example] = labels[first];
  return [
    finding(
      "missing-field",
      task.line,
      task.id,
      missing.map((name) => labels[name][0]),
      example,
    ),
  ];
}

/** The markers with a meaning, except `[FIX <id>]`. */
const known = ["P", "VERIFY", "RED", "GREEN", "YELLOW", "FINALLY"] as const;

/** Minimum length of a marker for which one wrong letter is recognized as a typo. */
const longWord = 5;

/** Find words in brackets that look like a misspelt or misplaced marker. */
export const findNearMissMarkers = (tasks: readonly Task[]): Problem[] => tasks.flatMap(nearMisses);

function nearMisses({ id, line, markers, title }: Task): Problem[] {
  const misspelt = markers.flatMap((written) => {
    const meant = meantBy(written);
    return meant === null || meant === written ? [] : [finding("near-miss-marker", line, id, written, meant, false)];
  });
  const misplaced = bracketed(title).flatMap((written) => {
    const meant = meantBy(written);
    return meant === null ? [] : [finding("near-miss-marker", line, id, written, meant, true)];
  });
  return [...misspelt, ...misplaced];
}

const bracketed = (title: string): string[] =>
  [...title.replace(/`[^`]*`/g, " ").matchAll(/\[([A-Za-z][^[\]]{0,40})\](?![[(:])/g)].map(([, text = ""]) => text);

function meantBy(written: string): string | null {
  const fix = /^FIX[\s:#-]{1,3}([A-Z]{0,8}-?\d\S*)$/i.exec(written.trim());
  if (fix !== null) return `FIX ${fix[1]}`;
  const typed = written.trim().toUpperCase();
  // Matches VERIFIED and VERIFICATION, for example.
  if (/^VERIF[A-Z]*$/.test(typed)) return "VERIFY";
  const isMeant = (marker: string): boolean =>
    typed === marker || (marker.length >= longWord && editDistance(typed, marker) === 1);
  return known.find(isMeant) ?? null;
}

const lineHead = String.raw`^\uFEFF?[ \t>]*(?:<!--[ \t]*)?`;
const bullet = String.raw`(?:[-*+]|\d{1,9}[.)])[ \t]+`;
const box = String.raw`\[[ xX]\](?=[ \t]|$)`;
const label = String.raw`(?:\*\*|__)?[A-Za-z][A-Za-z ]{0,30}(?::(?:\*\*|__)?|(?:\*\*|__):)[ \t]*`;
/** Boxes at the start of a line, or after a word such as a ticket number. */
const boxLine = new RegExp(
  `${lineHead}(?:\\w{1,16}[ \\t]+(?=[-*+][ \\t]))?(?:${bullet}|#{1,6}[ \\t]+|<li>[ \\t]*)?${box}`,
);
/** Boxes as a value: `**Status**: [x] Done`. */
const boxField = new RegExp(`${lineHead}(?:${bullet})?${label}${box}`);
const boxCell = /^[ \t>]*\|(?:.*\|)?[ \t]*\[[ xX]\][ \t]*\|/;

/**
 * Find lines with a box outside of all tasks, which no run ticks.
 *
 * @param text Source of the plan.
 */
export function findStrayBoxes(text: string, { tasks, problems }: Pick<Plan, "tasks" | "problems">): Problem[] {
  const known = new Set(problems.flatMap(({ rule, line }) => (rule === "near-miss-task" ? [line] : [])));
  const found: Problem[] = [];
  let next = 0;
  let covered = 0;
  let start = 0;
  splitLines(text).forEach((source, index) => {
    const at = start + source.indexOf("[");
    for (let task = tasks[next]; task !== undefined && task.start <= at; task = tasks[next]) {
      covered = Math.max(covered, task.end);
      next += 1;
    }
    if (at >= covered && !known.has(index + 1) && isBoxLine(source)) found.push(finding("stray-box", index + 1));
    start += source.length;
    start += text.startsWith("\r\n", start) ? 2 : 1;
  });
  return found;
}

const isBoxLine = (source: string): boolean =>
  source.includes("[") && (boxLine.test(source) || boxField.test(source) || boxCell.test(source));
