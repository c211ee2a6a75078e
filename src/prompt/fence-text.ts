/**
 * A text between fences that nothing in it can close.
 *
 * @param label
 *   Info string of the fence, one word of our own.
 */
export function fenceText(text: string, label: string): string {
  let longest = 2;
  for (const { 0: run } of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}${label}\n${text}\n${fence}`;
}
