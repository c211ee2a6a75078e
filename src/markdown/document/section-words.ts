import type { Task } from "../../model/task.ts";
import type { PlacedHeading } from "../tasks/read-blocks.ts";
import { lineStart, trimBlank } from "../text/line-ending.ts";

/** Headings of sections whose boxes are criteria or questions, in several languages. */
const criteria = [
  /^(?:acceptance|done when)$|\b(?:success|acceptance|completion|exit|quality) (?:criteria|metrics)\b|\bdefinition of done\b|^quality gates$|\b(?:unresolved|open) questions\b|^risks$|^file list$|\brisk assessment\b|\bpitfalls\b/i,
  /\b(?:acceptance|approval|completion|compliance|quality|success|test(?:ing)?|validation|verification) checklist\b/i,
  /(?:(?:验收|完成|成功)标准|(?:验收|验证|检查)清单|(?:受け入れ|完了|成功)(?:基準|条件))(?![\p{L}\p{N}])/u,
  /\bcrit[èeé]r\p{L}{1,4} (?:d['’]|d[aei]l? )(?:accepta|aceita|acept|suc|éxito)|(?:abnahme|erfolgs)kriterien|\bchecklist d[ae] (?:acep|acei|aprov|quali|valida|verifica)/iu,
];
export const isCriteria = (title: string): boolean => criteria.some((words) => words.test(title));

/** Headings that prove something, if the tasks of a plan are headings. */
export const proof = /\bcriteria\b|\bverification\b|\bdefinition of done\b/i;
/** In a plan without ids, criteria are set aside if they are at most this share of the tasks. */
export const mostProofs = 0.75;
/** Heading of status lines or of a legend; the numbers below it are not ids. */
export const statusLines = /\b(?:status markers|legend)$/i;
/** Heading of a list that repeats the tasks of a plan. */
export const progress = /^[^\p{L}\p{N}]*(?:\w{1,20} )?progress(?: (?:tracking|tracker|checklist|summary|overview))?$/iu;
/** Name of a part of a plan, as in `**Phase 2: Title**`. */
export const part =
  /^[^\p{L}\p{N}]*((?:phase|milestone|sprint|stage|week|epic|part)[ \t]\d{1,4}(?:\.\d{1,4})?)(?=[ \t]?(?:[:*\u2013\u2014-]|$))/iu;
export const forPeople =
  /^(?:\d{1,4}[.)][ \t]?)?(?:(?:manual|human)(?: (?:steps?|tasks?|tests?|testing|verification|validation|checks?|qa|reviews?|actions?|work|setup|follow-?ups?)\b|[:：]|$)|(?:final )?sign-?offs?$)|\((?:(?:requires?|needs?) (?:manual|human)\b[^)]{0,40}|manual|human)\)/i;
export const forLater =
  /[(（]future[)）]|[\u2013\u2014-] deferred(?:$| (?:to|until|for)\b)|^(?:(?:phase[ \t])?\d{1,4}[.):]?[ \t])?[^\p{L}\p{N}]*(?:deferred|out of scope|future (?:work|enhancements?|improvements?|features|ideas))(?:$|[:：(]| (?:tasks?|items?|work|features?|to|until|for)\b| [(\u2013\u2014-])/iu;
/** Headings that say that the tasks below them are optional. */
const optional = [
  /^(?:(?:phase[ \t])?\d{1,4}[.):]?[ \t])?[^\p{L}\p{N}]*optional(?:$|[:：]| [(\u2013\u2014-]| (?:tasks?|items?|work|features?|follow-?ups?|(?:enhance|improve)ments?)(?:$|[:：]| [(]))/iu,
  /[([](?:[^()[\]]{0,40} [\u2013\u2014-] )?optional(?:[)\],;:]| [\u2013\u2014-] | (?:[\w-]{1,20} )?(?:tasks?|items?|work|features?)[)\]])|[(（]可[选選][)）]|[(（・]任意[)）]/i,
];

export const mayBeLeft = (title: string): boolean => optional.some((words) => words.test(title));

/** Names of the lists that tasks are in, from the lines above these lists: `**Acceptance Criteria:**`, `Optional:`. */
export type Labels = ReadonlyMap<Pick<Task, "start">, string>;

const label = /^(?![#>+-])(?:\*\*(?=[^*]{1,60}\*\*[:：]?$))?([^*]{1,60}?)(?:[:：]|[:：]?\*\*[:：]?)$/u;

export function labelsOf(tasks: readonly Task[], text: string): Labels {
  const labels = new Map<Task, string>();
  let name: string | undefined;
  let from = 0;
  for (const task of tasks) {
    const between = text.slice(from, task.start).trimEnd();
    const last = between.slice(lineStart(between, between.length));
    if (last !== "") name = label.exec(trimBlank(last))?.[1];
    if (name !== undefined) labels.set(task, name);
    from = Math.max(from, task.end);
  }
  return labels;
}

/**
 * Find the tasks in the sections of matching headings or below matching labels, and those that are such a heading. The
 * section of a plan's title ends at the next heading.
 */
export function tasksBelow<One extends Pick<Task, "start">>(
  tasks: readonly One[],
  headings: readonly PlacedHeading[],
  isMeant: (title: string) => boolean,
  labels: Labels = new Map(),
): ReadonlySet<One> {
  const sections = headings.flatMap(({ title, level, start, end }, at) =>
    isMeant(title) ? [{ start, end: level === 1 ? (headings[at + 1]?.start ?? end) : end }] : [],
  );
  if (sections.length === 0 && labels.size === 0) return new Set();
  let end = 0;
  let next = 0;
  return new Set(
    tasks.filter((task) => {
      const { start } = task;
      for (let section = sections[next]; section !== undefined && section.start <= start; section = sections[++next])
        end = Math.max(end, section.end);
      return start < end || isMeant(labels.get(task) ?? "");
    }),
  );
}
