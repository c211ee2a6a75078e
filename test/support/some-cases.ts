/**
 * Every so manieth of the cases of a test that takes a second or more for each; all of them in the campaign `tests`.
 *
 * @param from Number of the first, so that tests beside each other leave out others.
 */
export const someCases = <Case>(cases: readonly Case[], every: number, from = 0): readonly Case[] =>
  process.env["ALL_CASES"] === undefined ? cases.filter((_, index) => index % every === from) : cases;
