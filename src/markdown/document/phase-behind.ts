import type { FoundHeading } from "../tasks/read-blocks.ts";

/** The phase behind some headings: the last of them that begins one, else the phase before them. */
export function phaseBehind(
  headings: readonly FoundHeading[],
  phaseLevel: number | null,
  before: string | null,
): string | null {
  // Asked of every chunk before one that changes: most have none.
  if (headings.length === 0) return before;
  return headings.findLast((heading) => beginsPhase(heading, phaseLevel))?.title ?? before;
}

/** Whether a heading begins a phase. */
export const beginsPhase = ({ level }: Pick<FoundHeading, "level">, phaseLevel: number | null): boolean =>
  phaseLevel === null || level <= phaseLevel;
