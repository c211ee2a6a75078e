import type { TimedRunEvent } from "../model/event.ts";
import type { FailureKind } from "../model/failure.ts";
import { clockTime } from "./render-time.ts";

const awaited: Partial<Record<FailureKind, string>> = {
  "rate-limit": "the rate limit of the executor",
  offline: "the connection of the executor",
  startup: "another start of the executor, which ended at once,",
};

/** What a task waits for, and until when. */
export function renderWait({ at, reason, until }: Extract<TimedRunEvent, { type: "waiting" }>): string {
  if (until === null) return `waiting for a person (${reason})`;
  // When the one that was asked needs a person, it is another that can work then.
  return `waiting for ${awaited[reason] ?? "another executor"} until ${clockTime(until, Date.parse(at))}`;
}
