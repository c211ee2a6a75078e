import { setTimeout as sleep } from "node:timers/promises";

/** Waits for minutes if necessary. Replaces `expect.poll`, which concurrent tests cannot share. */
export async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + 300_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`Cannot continue the test, expected ${holds} within 5 min`);
    await sleep(20);
  }
}
