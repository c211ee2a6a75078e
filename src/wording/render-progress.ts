import type { Progress, RunEvent, TimedRunEvent } from "../model/event.ts";
import type { FailureKind } from "../model/failure.ts";
import { changeWords } from "../model/failure-set.ts";
import { countOf } from "../model/text.ts";
import { clockTime } from "./render-time.ts";

/** Render the number of failing checks and its change: `4 of 6 failing, was 5, progress`. */
export function renderProgress({ failing, of, was, change }: NonNullable<Progress>): string {
  const count = of === null ? `${failing} failing` : `${failing} of ${of} failing`;
  return `${count}${was === null ? "" : `, was ${was}`}${changeWords[change]}`;
}

export const insteadOf = (superseded: string | null): string =>
  superseded === null ? "" : ` in place of ${superseded}`;

const awaited: Partial<Record<FailureKind, string>> = {
  "rate-limit": "the rate limit of the executor",
  offline: "the connection of the executor",
  startup: "another start of the executor, which ended at once,",
};

export function renderWait({ at, reason, until }: Extract<TimedRunEvent, { type: "waiting" }>): string {
  if (until === null) return `waiting for a person (${reason})`;
  // If the executor itself needs a person, the run waits for another executor of the chain.
  return `waiting for ${awaited[reason] ?? "another executor"} until ${clockTime(until, Date.parse(at))}`;
}

type LevelChanged = Extract<RunEvent, { type: "level.changed" }>;

/** Name an escalation level with the number of its attempt: `pivot 1/3`. Empty for the normal level. */
export function levelName({ level, attempt, max }: Pick<LevelChanged, "level" | "attempt" | "max">): string {
  if (level === "normal") return "";
  return level === "checkpoint" ? level : `${level} ${attempt}/${max}`;
}

export function levelLine(event: LevelChanged): string {
  const where = `${levelName(event)} on ${event.task}`;
  switch (event.level) {
    case "pivot":
      return `${where}: a different approach is asked for`;
    case "research":
      return `${where}: context is gathered first`;
    case "race":
      return `${where}: up to ${countOf(event.max - event.attempt + 1, "attempt")} side by side`;
    case "checkpoint":
      return `${where}: nothing is left to try`;
    case "normal":
      return `${event.task} is not stuck any more`;
  }
}
