import type { Fault } from "./fault.ts";
import { views } from "./strace-words.ts";

const harmless: readonly (readonly [path: RegExp, reason: string])[] = [
  [
    views,
    "a view of the journal; if a timer cannot write it, the next change writes it, or the end reports the failure",
  ],
  [/\/snapshot\.json$/, "a shortcut: without it the whole journal is read"],
];

const harmlessToMiss: typeof harmless = [[/\bstuck-report\.md$/, "a report that cannot be moved away stays in place"]];

/** A lease that cannot be released ends with its process. */
const isRelease = ({ name, path }: Fault["call"]): boolean =>
  name.startsWith("unlink") && /\/lease\/\d+\/[\da-f-]{36}$/.test(path);

/** A single failed background flush is harmless, because the next task repeats it. */
export const isHarmless = ({ call, lasts }: Extract<Fault, { kind: "errno" }>): boolean =>
  (call.isLaterFlush && !lasts) ||
  isRelease(call) ||
  [...harmless, ...(call.changes ? [] : harmlessToMiss)].some(([pattern]) => pattern.test(call.path));
