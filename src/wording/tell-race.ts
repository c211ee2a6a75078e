import type { Raced } from "../model/reply.ts";

/** How an attempt of a race has ended. */
export const racedWords: Record<Raced, string> = {
  proven: "proven",
  unproven: "claims to be done, not proven",
  failed: "failed",
  unable: "could not work",
  stopped: "stopped, another one was proven",
};
