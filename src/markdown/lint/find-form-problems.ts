import type { Plan } from "../../model/plan.ts";
import type { Problem } from "../../model/rule.ts";
import type { Task, TaskFields } from "../../model/task.ts";
import { editDistance } from "../../model/text.ts";
import { findOpenCommands } from "../document/plan-problems.ts";
import { isGeneratedId } from "../tasks/read-title.ts";
import { splitLines } from "../text/line-ending.ts";
import { finding } from "./finding.ts";

/** Fields that say what is to be done and what shows it, each with an example. What writes nothing needs no Files, nor a Commit. */
const labels = {
  do: ["Do", "Write the parser"],
  doneWhen: ["Done when", "The parser reads the sample"],
  verify: ["Verify", "npm test"],
} as const satisfies Partial<Record<keyof TaskFields, readonly [label: string, example: string]>>;
type FieldName = keyof typeof labels;
const names = Object.keys(labels) as FieldName[];

/** The fields that a task lacks and another task of the plan has; and that no task has a Verify. */
export function findMissingFields({ dialect, tasks }: Pick<Plan, "dialect" | "tasks">): Problem[] {
  const used = names.filter((name) => tasks.some(({ fields }) => fields[name] !== undefined));
  const own = tasks.filter(({ aside, isGroup }) => aside === undefined && isGroup !== true);
  // A box without an id is no task of such a plan: what has made it one is told by other rules.
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

/** The markers that mean something, but for `[FIX <id>]`. */
const known = ["P", "VERIFY", "RED", "GREEN", "YELLOW", "FINALLY"] as const;

/** Letters of a marker from which on one wrong letter still tells which is meant. */
const longWord = 5;

/** What has a marker's letters in brackets, without being one: misspelt, or at another place of the title. */
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

/** What stands in brackets in a title, but for code and links. */
const bracketed = (title: string): string[] =>
  [...title.replace(/`[^`]*`/g, " ").matchAll(/\[([A-Za-z][^[\]]{0,40})\](?![[(:])/g)].map(([, text = ""]) => text);

/** The marker that somebody has meant who wrote this; null for none. */
function meantBy(written: string): string | null {
  const fix = /^FIX[\s:#-]{1,3}([A-Z]{0,8}-?\d\S*)$/i.exec(written.trim());
  if (fix !== null) return `FIX ${fix[1]}`;
  const typed = written.trim().toUpperCase();
  // As in VERIFIED and VERIFICATION.
  if (/^VERIF[A-Z]*$/.test(typed)) return "VERIFY";
  const isMeant = (marker: string): boolean =>
    typed === marker || (marker.length >= longWord && editDistance(typed, marker) === 1);
  return known.find(isMeant) ?? null;
}

const lineHead = String.raw`^\uFEFF?[ \t>]*(?:<!--[ \t]*)?`;
const bullet = String.raw`(?:[-*+]|\d{1,9}[.)])[ \t]+`;
const box = String.raw`\[[ xX]\](?=[ \t]|$)`;
const label = String.raw`(?:\*\*|__)?[A-Za-z][A-Za-z ]{0,30}(?::(?:\*\*|__)?|(?:\*\*|__):)[ \t]*`;
/** Boxes at the start of a line, or behind a word such as a ticket number. */
const boxLine = new RegExp(
  `${lineHead}(?:\\w{1,16}[ \\t]+(?=[-*+][ \\t]))?(?:${bullet}|#{1,6}[ \\t]+|<li>[ \\t]*)?${box}`,
);
/** Boxes as a value: `**Status**: [x] Done`. */
const boxField = new RegExp(`${lineHead}(?:${bullet})?${label}${box}`);
const boxCell = /^[ \t>]*\|(?:.*\|)?[ \t]*\[[ xX]\][ \t]*\|/;

/**
 * Lines with a box that stand in no task, so that nothing ticks them.
 *
 * @param text What the plan was read from.
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
