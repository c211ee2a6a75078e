import type { TaskId } from "../../model/task.ts";

const id = String.raw`[A-Za-z]{0,8}-?\d[\w.\u2013-]{0,20}`;
const one = `(?:tasks? )?\`?${id}\`?`;
const between = String.raw`(?: \([^()\n]{0,40}\))?[ \t]{0,4}(?:,|;|&|\+|and )[ \t]{0,4}(?:and )?`;
const remark = new RegExp(
  String.raw`(?<![A-Za-z])(?<!(?:not|no longer|n't) )(?:(?:depends? on|depends|blocked by)(?:\*\*|__|_)?[ \t]{0,4}:?|dependenc(?:y|ies)(?:\*\*|__|_)?[ \t]{0,4}:)(?:\*\*|__|_)?[ \t]{0,4}(${one}(?:${between}${one}){0,40})`,
  "gi",
);
const word = new RegExp(id, "g");
const range = /^(.{1,24}?)(?:\u2013|-|\.\.)([A-Za-z]*\d[\w.]*)$/;
/** What a number counts, as in `3 packages`. */
const counted = /^[ \t](?!and\b|or\b|is\b|for\b)[a-z]/;
/** Tasks of a range. */
const mostOfRange = 200;

/**
 * Tasks that a task says it depends on: `(depends on T001, T002)`, `[Depends: 1.2]`, `_Dependencies: 1, 2_`, and from one to
 * another as `T004-T006`. What is no task of the plan is left out.
 *
 * @param block Source of the task.
 * @param ids Of all tasks, in order.
 * @param known The index of each.
 */
export function dependenciesIn(block: string, ids: readonly TaskId[], known: ReadonlyMap<TaskId, number>): TaskId[] {
  const found = dependencyWords(block);
  return [...new Set(found.flatMap((named) => (known.has(named) ? [named] : rangeOf(named, ids, known))))];
}

/** What a task says it depends on, as it is written. @param block Source of the task. */
export function dependencyWords(block: string): string[] {
  // Few tasks say so, and the pattern takes its time.
  if (!/depend|blocked by/i.test(block)) return [];
  return [...block.matchAll(remark)].flatMap((match) => {
    const words = [...(match[1] as string).matchAll(word)].map(([text]) => text.replace(/(?<![._-])[._-]+$/, ""));
    const behind = block.slice(match.index + match[0].length, match.index + match[0].length + 8);
    return /^\d+$/.test(words.at(-1) as string) && counted.test(behind) ? words.slice(0, -1) : words;
  });
}

function rangeOf(named: string, ids: readonly TaskId[], known: ReadonlyMap<TaskId, number>): readonly TaskId[] {
  const [, first = "", last = ""] = range.exec(named) ?? [];
  const [from = -1, to = -1] = [known.get(first), known.get(last)];
  return from < 0 || to < from ? [] : ids.slice(from, Math.min(to + 1, from + mostOfRange));
}
