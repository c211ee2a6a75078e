import type { Raced } from "../model/reply.ts";

/** Result of an attempt in a race. */
export const racedWords: Record<Raced, string> = {
  proven: "proven",
  unproven: "claims to be done, not proven",
  failed: "failed",
  unable: "could not work",
  stopped: "stopped, since another attempt was proven",
};
