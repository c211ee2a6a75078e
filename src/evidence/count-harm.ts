import { countOf } from "../model/text.ts";
import type { Counted } from "./guard.ts";

/**
 * Find checks that no longer run by the counts of two runs, whatever the files show.
 *
 * @param own Names of checks in files that the attempts made.
 * @returns Null if nothing is missing, or the tool gives no counts.
 */
export function countHarm(before: Counted | null, after: Counted | null, own: ReadonlySet<string>): string | null {
  if (before === null || after === null) return null;
  const [was, is] = [ranIn(before), ranIn(after)];
  if (was !== null && is !== null && is < was) return `${is} of ${countOf(was, "check")} ran`;
  const gone = missing(before.passed ?? [], after.passed);
  // Names with a number or path change by themselves: then as many appear as disappear.
  const fresh = missing(after.passed ?? [], before.passed).filter((name) => !own.has(lastPart(name)));
  if (gone.length <= fresh.length) return null;
  return `${countOf(gone.length, "check")} that passed before did not run: ${gone.slice(0, 3).join(", ")}`;
}

const ranIn = ({ ran, passed }: Counted): number | null => ran ?? passed?.length ?? null;

const missing = (names: readonly string[], from: readonly string[] | null): readonly string[] => {
  if (from === null) return [];
  const known = new Set(from);
  return names.filter((name) => !known.has(name));
};

const lastPart = (name: string): string => name.split(/ > | › |::/).at(-1) as string;
