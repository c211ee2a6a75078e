import { setImmediate } from "node:timers/promises";

/** A turn of the event loop that takes longer is one in which other runs were at work. */
const quietMs = 2;

/** Turns of the event loop after which a start goes on, however busy the others are. */
const mostTurns = 200;

let last: Promise<void> = Promise.resolve();

/**
 * Wait for those starts in this process that came before, and until the runs that are at work have little to do. A start
 * reads and writes for several milliseconds without a pause, in which answers of other executors would wait.
 */
export function takeTurn(): Promise<void> {
  last = last.then(waitForQuiet);
  return last;
}

async function waitForQuiet(): Promise<void> {
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const before = performance.now();
    await setImmediate();
    if (performance.now() - before < quietMs) return;
  }
}
