/** Runs one after the other, in the order of the calls; one that fails holds up no other. */
export function inTurn(): <Found>(run: () => Promise<Found>) => Promise<Found> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(run);
    last = next.catch(() => {});
    return next;
  };
}
