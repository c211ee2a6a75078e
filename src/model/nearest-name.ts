/**
 * The known name that a mistyped or shortened one is likely to mean; undefined when none is near.
 *
 * @param farthest How many letters may differ of a name of that length.
 */
export function nearestName(
  name: string,
  known: readonly string[],
  farthest = (length: number): number => Math.max(2, length * 0.4),
): string | undefined {
  const typed = name.slice(0, 64).toLowerCase();
  const [nearest] = known
    .map((candidate) => ({ candidate, far: distance(typed, candidate.toLowerCase()) }))
    .filter(({ candidate, far }) => far <= farthest(candidate.length))
    .sort((one, other) => one.far - other.far);
  return nearest?.candidate;
}

const distance = (typed: string, known: string): number =>
  typed.length > 2 && known.startsWith(typed) ? 0 : editDistance(typed, known);

/** Insertions, deletions and replacements between two words. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of Array.from(from).entries()) {
    const next = [index + 1];
    for (const [column, other] of Array.from(to).entries()) {
      const replaced = (row[column] as number) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] as number) + 1, (next[column] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}
