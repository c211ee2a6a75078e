import type { Progress } from "../model/event.ts";
import { changeWords } from "../model/failure-set.ts";

/** How much fails, and how that came about: `4 of 6 failing, was 5, progress`. */
export function renderProgress({ failing, of, was, change }: NonNullable<Progress>): string {
  const count = of === null ? `${failing} failing` : `${failing} of ${of} failing`;
  return `${count}${was === null ? "" : `, was ${was}`}${changeWords[change]}`;
}

/** That a fix task takes the place of another. */
export const insteadOf = (superseded: string | null): string =>
  superseded === null ? "" : ` in place of ${superseded}`;
