import fc from "fast-check";

/** Texts of so many pieces at most. */
export const joined = (piece: fc.Arbitrary<string>, most: number): fc.Arbitrary<string> =>
  fc.array(piece, { maxLength: most }).map((pieces) => pieces.join(""));

/** Texts in which these words stand between any others. */
export const textsWith = (words: readonly string[], most: number): fc.Arbitrary<string> =>
  joined(fc.oneof(fc.constantFrom(...words), fc.string()), most);
