import fc from "fast-check";

/** Texts of at most `most` pieces. */
export const joined = (piece: fc.Arbitrary<string>, most: number): fc.Arbitrary<string> =>
  fc.array(piece, { maxLength: most }).map((pieces) => pieces.join(""));

/** Texts that mix words with random strings. */
export const textsWith = (words: readonly string[], most: number): fc.Arbitrary<string> =>
  joined(fc.oneof(fc.constantFrom(...words), fc.string()), most);
