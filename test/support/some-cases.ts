/**
 * Takes one of `every` cases, or all cases with `ALL_CASES`.
 *
 * @param from Index of the first case. Related tests can use different cases.
 */
export const someCases = <Case>(cases: readonly Case[], every: number, from = 0): readonly Case[] =>
  process.env["ALL_CASES"] === undefined ? cases.filter((_, index) => index % every === from) : cases;

/**
 * Every third moment, or every moment with `ALL_CASES`.
 *
 * @param from At most 2.
 */
export const someMoments = (last: number, from = 0): readonly number[] =>
  someCases(
    Array.from({ length: last }, (_, index) => index + 1),
    3,
    from,
  );
