/** Words that make nothing more specific. What may turn a text into its opposite, such as "from", is none of them. */
const stopWords = new Set(
  [
    "a an the this that these those it its",
    "of to in on at by for with as into",
    "and or then also so",
    "is are be been will should must",
    "please just now again properly correctly fully successfully",
  ].flatMap((line) => line.split(" ")),
);

/** The words of a text that carry its meaning, in order: without case, punctuation and stop words. */
export function wordsOf(text: string): string[] {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/['’]/g, "")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((word) => !stopWords.has(word));
}
