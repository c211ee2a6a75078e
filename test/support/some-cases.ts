/**
 * Every nth case of a test whose cases take a second or more each; all cases with `ALL_CASES`, as in the campaign
 * `tests`.
 *
 * @param every The number n.
 * @param from Index of the first tried case, so that related tests can try different cases.
 */
export const someCases = <Case>(cases: readonly Case[], every: number, from = 0): readonly Case[] =>
  process.env["ALL_CASES"] === undefined ? cases.filter((_, index) => index % every === from) : cases;

/**
 * Every third moment of a run, from 1 to its last moment; every moment with `ALL_CASES`.
 *
 * @param from At most 2.
 */
export const someMoments = (last: number, from = 0): readonly number[] =>
  someCases(
    Array.from({ length: last }, (_, index) => index + 1),
    3,
    from,
  );
