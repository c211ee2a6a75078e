import { views } from "./strace-words.ts";
import type { TracedCall } from "./traced-call.ts";

/** Files without which a run may go on, and why. */
const harmless: readonly (readonly [path: RegExp, reason: string])[] = [
  [
    views,
    "it shows what the journal says; what a timer could not write is written by the next change, or told at the end",
  ],
  [/\/sum-\d+\.json$/, "it only spares reading: without it the whole journal is read"],
];

/** The same for files that cannot be opened to be read. */
const harmlessToMiss: typeof harmless = [[/\bstuck-report\.md$/, "one that cannot be put away stays where it is"]];

/** Whether a run may go on although this failed. */
export const isHarmless = ({ path, changes }: TracedCall): boolean =>
  [...harmless, ...(changes ? [] : harmlessToMiss)].some(([pattern]) => pattern.test(path));
