import { createSpecMachine } from "../../machines/spec.ts";

let made: ReturnType<typeof createSpecMachine> | undefined;

/** The chart of all runs, created once, since it holds no data of a run. */
export function specMachine(): NonNullable<typeof made> {
  made ??= createSpecMachine();
  return made;
}
