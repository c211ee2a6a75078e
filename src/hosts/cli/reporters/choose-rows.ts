/**
 * Which of `count` rows to show in `room` lines: those that have to be seen, as far as there is room, and then their
 * neighbours. A gap between two that are shown takes a line.
 *
 * @param wanted Indices; the first is the last to be left out, the others the sooner the farther they are from it.
 * @returns Indices in ascending order.
 */
export function chooseRows(count: number, wanted: readonly number[], room: number): readonly number[] {
  const [first = 0] = wanted;
  const nearest = [...wanted].sort((one, other) => Math.abs(one - first) - Math.abs(other - first));
  let shown: readonly number[] = [];
  const add = (index: number): void => {
    if (index < 0 || index >= count || shown.includes(index)) return;
    const more = [...shown, index].sort((one, other) => one - other);
    if (linesOf(more) <= room) shown = more;
  };
  nearest.forEach(add);
  const seeds = nearest.filter((index) => shown.includes(index));
  for (let far = 1; far <= room; far += 1) {
    for (const index of seeds) {
      add(index - far);
      add(index + far);
    }
  }
  return shown;
}

const linesOf = (indices: readonly number[]): number =>
  indices.length + indices.filter((index, place) => place > 0 && index - (indices[place - 1] ?? 0) > 1).length;
