import type { Fault } from "./fault.ts";
import { views } from "./strace-words.ts";

/** Files without which a run may continue, and why. */
const harmless: readonly (readonly [path: RegExp, reason: string])[] = [
  [
    views,
    "it shows what the journal says; what a timer could not write is written by the next change, or told at the end",
  ],
  [/\/snapshot\.json$/, "it only spares reading: without it the whole journal is read"],
];

/** The same for files that cannot be opened for reading. */
const harmlessToMiss: typeof harmless = [[/\bstuck-report\.md$/, "one that cannot be put away stays where it is"]];

/** Whether a run may continue although this failed. A failed flush is repeated after the next task. */
export const isHarmless = ({ call, lasts }: Extract<Fault, { kind: "errno" }>): boolean =>
  (call.isLaterFlush && !lasts) ||
  [...harmless, ...(call.changes ? [] : harmlessToMiss)].some(([pattern]) => pattern.test(call.path));
