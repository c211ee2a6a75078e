/**
 * What a person does about a plan that was changed by somebody.
 *
 * @param keptAt Where it is kept as it was; null where it is not.
 */
export const lookAtPlan = (then: string, keptAt: string | null): string =>
  `Look at tasks.md${keptAt === null ? "" : ` (as it was: ${keptAt})`}${then}`;
