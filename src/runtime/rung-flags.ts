import type { Rung } from "../model/rung.ts";

/** The options that give a ladder its rungs, in the order in which they are climbed. */
export const rungFlags = [
  ["fix", "--recovery-mode"],
  ["repair", "--repair"],
  ["pivot", "--escalation"],
] as const satisfies readonly (readonly [Rung, string])[];
