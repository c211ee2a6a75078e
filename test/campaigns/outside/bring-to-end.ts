import type { Surroundings } from "../campaign.ts";
import { type Ground, saidIn } from "./ground.ts";
import { type Start, type StartOptions, startOn } from "./start.ts";

/** Maximum number of starts, including kills. */
const mostStarts = 8;

/** What a person does without looking: the same command again, as long as that may help. */
export async function bringToEnd(
  ground: Ground,
  surroundings: Surroundings,
  given: {
    readonly before: readonly Start[];
    readonly optionsOf: (start: number) => StartOptions;
    /** Runs before each start. */
    readonly arrange?: (start: number) => void | Promise<void>;
    /** Exit codes after which it is retried, in addition to a kill. */
    readonly again?: readonly number[];
  },
): Promise<Start[]> {
  const starts = [...given.before];
  let sameAgain = 0;
  while (starts.length < mostStarts) {
    await given.arrange?.(starts.length);
    const start = await startOn(ground, surroundings, saidIn(ground).length, given.optionsOf(starts.length)).end;
    starts.push(start);
    if (start.hung || start.exitCode === 0) break;
    if (start.killed || given.again?.includes(start.exitCode ?? -1) === true) continue;
    // Another start must give the same result: refusals and spent limits stay.
    sameAgain += 1;
    if (sameAgain === 2) break;
  }
  return starts;
}
