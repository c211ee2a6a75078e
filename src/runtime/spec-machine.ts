import { createSpecMachine } from "../../machines/spec.ts";

let made: ReturnType<typeof createSpecMachine> | undefined;

/** The chart of a run, created once: it stores nothing of a run. */
export function specMachine(): NonNullable<typeof made> {
  made ??= createSpecMachine();
  return made;
}
