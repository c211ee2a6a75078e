import type { Fault } from "./fault.ts";
import { views } from "./strace-words.ts";

/** Files that may fail to be written while the run continues, and why. */
const harmless: readonly (readonly [path: RegExp, reason: string])[] = [
  [
    views,
    "a view of the journal; if a timer cannot write it, the next change writes it, or the end reports the failure",
  ],
  [/\/snapshot\.json$/, "a shortcut: without it the whole journal is read"],
];

/** Files that may fail to be opened for reading while the run continues, and why. */
const harmlessToMiss: typeof harmless = [[/\bstuck-report\.md$/, "a report that cannot be moved away stays in place"]];

/** Whether a run may continue after a failed call. A failed background flush is repeated after the next task. */
export const isHarmless = ({ call, lasts }: Extract<Fault, { kind: "errno" }>): boolean =>
  (call.isLaterFlush && !lasts) ||
  [...harmless, ...(call.changes ? [] : harmlessToMiss)].some(([pattern]) => pattern.test(call.path));
