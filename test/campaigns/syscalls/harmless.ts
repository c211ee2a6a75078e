import type { Fault } from "./fault.ts";
import { views } from "./strace-words.ts";

/** Files whose failed writes do not stop a run, with the reason. */
const harmless: readonly (readonly [path: RegExp, reason: string])[] = [
  [
    views,
    "a view of the journal; if a timer cannot write it, the next change writes it, or the end reports the failure",
  ],
  [/\/snapshot\.json$/, "a shortcut: without it the whole journal is read"],
];

/** Files whose failed reads do not stop a run, with the reason. */
const harmlessToMiss: typeof harmless = [[/\bstuck-report\.md$/, "a report that cannot be moved away stays in place"]];

/** Whether a run may continue after the failed call. The next task repeats a failed background flush. */
export const isHarmless = ({ call, lasts }: Extract<Fault, { kind: "errno" }>): boolean =>
  (call.isLaterFlush && !lasts) ||
  [...harmless, ...(call.changes ? [] : harmlessToMiss)].some(([pattern]) => pattern.test(call.path));
