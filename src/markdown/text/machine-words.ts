const signals =
  /ALL_TASKS_COMPLETE|TASK_COMPLETE|TASK_MODIFICATION_REQUEST|VERIFICATION_(?:PASS|FAIL)|REVIEW_(?:PASS|FAIL)/g;
const brackets = /\[(?:(?:[ xX~-]|P|VERIFY|RED|GREEN|YELLOW)\]|FIX(?=[ \]])[^[\]\n]*\]?)/g;
const comment = /<!--/g;

/**
 * Offsets of the characters that have to be escaped lest a machine that reads lines, not markdown, finds a word of
 * its own: signals, boxes and markers, the start of a comment.
 */
export function machineWordOffsets(text: string): number[] {
  const offsets = new Set<number>();
  for (const { 0: word, index } of text.matchAll(signals)) {
    for (let at = 0; at < word.length; at += 1) if (word[at] === "_") offsets.add(index + at);
  }
  for (const { 0: word, index } of text.matchAll(brackets)) {
    offsets.add(index);
    if (word.endsWith("]")) offsets.add(index + word.length - 1);
  }
  for (const { index } of text.matchAll(comment)) offsets.add(index + 1);
  return [...offsets];
}

/** A text for a code span, where nothing can be escaped, without such words. */
export const withoutMachineWords = (text: string): string =>
  text
    .replace(signals, (word) => word.replaceAll("_", " "))
    .replace(brackets, (word) => (word.endsWith("]") ? `(${word.slice(1, -1)})` : `(${word.slice(1)}`))
    .replace(comment, "<! --");
