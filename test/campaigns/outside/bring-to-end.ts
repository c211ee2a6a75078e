import type { Surroundings } from "../campaign.ts";
import { type Ground, saidIn } from "./ground.ts";
import { type Start, type StartOptions, startOn } from "./start.ts";

const mostStarts = 8;

/** Repeats the same command while that may help, as a person does who ignores the output. */
export async function bringToEnd(
  ground: Ground,
  surroundings: Surroundings,
  given: {
    readonly before: readonly Start[];
    readonly optionsOf: (start: number) => StartOptions;
    readonly arrange?: (start: number) => void | Promise<void>;
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
    sameAgain += 1;
    if (sameAgain === 2) break;
  }
  return starts;
}
