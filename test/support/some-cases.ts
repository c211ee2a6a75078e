/**
 * Some cases of a test that takes a second or more for each: every nth one. The campaign `tests` tries them all.
 *
 * @param every Distance between them.
 * @param from Index of the first one, so that related tests can try different cases.
 */
export const someCases = <Case>(cases: readonly Case[], every: number, from = 0): readonly Case[] =>
  process.env["ALL_CASES"] === undefined ? cases.filter((_, index) => index % every === from) : cases;

/** Some of the moments of a run, from 1 to its last one: every third, or all, as with cases. @param from At most 2. */
export const someMoments = (last: number, from = 0): readonly number[] =>
  someCases(
    Array.from({ length: last }, (_, index) => index + 1),
    3,
    from,
  );
