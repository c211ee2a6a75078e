import { setImmediate } from "node:timers/promises";

let last: Promise<void> = Promise.resolve();

/**
 * Wait for those starts in this process that came before, and for whatever is due. A start reads and writes for several
 * milliseconds without a pause; of many at once each lets the runs that are at work go on.
 */
export function takeTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}
