import type { RunMemory } from "../../src/effects/run-memory.ts";
import type { Speaker } from "../../src/model/person-event.ts";
import type { Answered } from "../../src/model/record.ts";
import type { AttemptFacts } from "../../src/ports/attempt-record.ts";

export function answered(key: string, answer: object, more: object = {}): Answered {
  const name = key.slice(key.lastIndexOf("/") + 1);
  const effect = name === "askAgain" ? "askOperator" : name;
  return { type: "answered", effect, key, answer, ...more } as unknown as Answered;
}

export const recordAnswer = (
  memory: Pick<RunMemory, "record">,
  key: string,
  answer: object,
  facts?: AttemptFacts,
  { at, by }: { readonly at?: number; readonly by?: Speaker } = {},
): void => memory.record([answered(key, answer, by === undefined ? {} : { by })], { facts, at });
