import { views } from "./strace-words.ts";
import type { TracedCall } from "./traced-call.ts";

/** Files without which a run may go on, and why. */
const harmless: readonly (readonly [path: RegExp, reason: string])[] = [
  [
    views,
    "it shows what the journal says; what a timer could not write is written by the next change, or told at the end",
  ],
];

/** Whether a run may go on although this failed. */
export const isHarmless = ({ path }: TracedCall): boolean => harmless.some(([pattern]) => pattern.test(path));
