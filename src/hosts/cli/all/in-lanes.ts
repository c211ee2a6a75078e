/**
 * Do pieces of work: those of one lane one after the other, those of different lanes side by side.
 *
 * @param most How many are done side by side at most, from 1.
 */
export async function inLanes<Piece>(
  pieces: readonly Piece[],
  laneOf: (piece: Piece) => string,
  most: number,
  act: (piece: Piece) => Promise<void>,
): Promise<void> {
  const byName = new Map<string, Piece[]>();
  for (const piece of pieces) byName.set(laneOf(piece), [...(byName.get(laneOf(piece)) ?? []), piece]);
  const lanes = [...byName.values()];
  const takeLanes = async (): Promise<void> => {
    for (let lane = lanes.shift(); lane !== undefined; lane = lanes.shift()) {
      for (const piece of lane) await act(piece);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, lanes.length) }, takeLanes));
}
