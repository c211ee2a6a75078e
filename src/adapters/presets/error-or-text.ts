import { failedText } from "./failed-text.ts";
import type { StreamReading } from "./preset.ts";
import { readError, type StatedError } from "./read-error.ts";

/** What a turn comes to: the error with which it ended, or its final message. */
export const errorOrText = (
  error: StatedError | null,
  text: string | null,
  now: number,
): Pick<StreamReading, "text" | "problem"> => ({
  text: error === null ? text : failedText(error.message),
  problem: readError(error, now),
});
