import type { RunEvent } from "../model/event.ts";

type LevelChanged = Extract<RunEvent, { type: "level.changed" }>;

/** A level of being stuck, with the number of its attempt: `pivot 1/3`. Empty when it is none. */
export function levelName({ level, attempt, max }: Pick<LevelChanged, "level" | "attempt" | "max">): string {
  if (level === "normal") return "";
  return level === "checkpoint" ? level : `${level} ${attempt}/${max}`;
}

/** What a level of being stuck means for the next delegation. */
export function levelLine(event: LevelChanged): string {
  const where = `${levelName(event)} on ${event.task}`;
  switch (event.level) {
    case "pivot":
      return `${where}: a different approach is asked for`;
    case "research":
      return `${where}: context is gathered first`;
    case "race":
      return `${where}: several are handed it side by side`;
    case "checkpoint":
      return `${where}: nothing is left to try`;
    case "normal":
      return `${event.task} is not stuck any more`;
  }
}
