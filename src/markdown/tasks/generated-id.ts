import type { TaskId } from "../../model/task.ts";

/** The id of a task that has none written: `H` and six digits of a hash (FNV-1a) of its title. */
export function generatedId(title: string): TaskId {
  let hash = 0x811c9dc5;
  for (let at = 0; at < title.length; at += 1) {
    hash = Math.imul(hash ^ title.charCodeAt(at), 0x01000193) >>> 0;
  }
  return `H${String(hash % 1_000_000).padStart(6, "0")}`;
}

/** Whether an id reads like one that was made from a title. */
export const isGeneratedId = (id: TaskId): boolean => /^H\d{6}(?:[b-z]|-\d+)?$/.test(id);

/**
 * Name tasks one after the other, none like another and none like a written id: a repeated title gets the suffix
 * `b`, `c` and so on, after `z` a number.
 */
export function createNaming(written: ReadonlySet<TaskId>): (title: string) => TaskId {
  const used = new Set(written);
  const repeats = new Map<TaskId, number>();
  return (title) => {
    const base = generatedId(title);
    for (let n = repeats.get(base) ?? 0; ; n += 1) {
      const id = n === 0 ? base : n < 26 ? `${base}${String.fromCharCode(97 + n)}` : `${base}-${n + 1}`;
      if (used.has(id)) continue;
      used.add(id);
      repeats.set(base, n + 1);
      return id;
    }
  };
}
