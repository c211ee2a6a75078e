import fc from "fast-check";

export const joined = (piece: fc.Arbitrary<string>, most: number): fc.Arbitrary<string> =>
  fc.array(piece, { maxLength: most }).map((pieces) => pieces.join(""));

export const textsWith = (words: readonly string[], most: number): fc.Arbitrary<string> =>
  joined(fc.oneof(fc.constantFrom(...words), fc.string()), most);
