import type { TaskId } from "../../model/task.ts";

const id = String.raw`[A-Za-z]{0,8}-?\d[\w.-]{0,20}`;
const remark = new RegExp(
  String.raw`(?<![A-Za-z])(?:depends? on|depends|dependenc(?:y|ies)|blocked by)(?:\*\*|__|_)?\s{0,4}:?(?:\*\*|__|_)?\s{0,4}((?:(?:tasks? )?${id}(?:\s{0,4}(?:,|;|&|\+|and)\s{0,4})?){1,40})`,
  "gi",
);
const word = new RegExp(id, "g");
const range = /^(.{1,24}?)(?:\u2013|-|\.\.)([A-Za-z]*\d[\w.]*)$/;

/**
 * Tasks that a task says it depends on: `(depends on T001, T002)`, `[Depends: 1.2]`, `_Dependencies: 1, 2_`, and from one to
 * another as `T004-T006`. What is no task of the plan is left out.
 *
 * @param block Source of the task.
 * @param ids Of all tasks, in order.
 */
export function dependenciesIn(block: string, ids: readonly TaskId[], known: ReadonlySet<TaskId>): TaskId[] {
  // Few tasks say so, and the pattern takes its time.
  if (!/depend|blocked by/i.test(block)) return [];
  const words = [...block.matchAll(remark)].flatMap(([, named]) => [...(named as string).matchAll(word)].flat());
  const found = words
    .map((one) => one.replace(/(?<![._-])[._-]+$/, ""))
    .flatMap((one) => (known.has(one) ? [one] : between(one, ids)));
  return [...new Set(found)];
}

function between(named: string, ids: readonly TaskId[]): readonly TaskId[] {
  const [, first = "", last = ""] = range.exec(named) ?? [];
  const [from, to] = [ids.indexOf(first), ids.indexOf(last)];
  return from < 0 || to < from ? [] : ids.slice(from, to + 1);
}
