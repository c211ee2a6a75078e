/**
 * A text between fences that nothing in it can close.
 *
 * @param label
 *   Info string of the fence, one word of our own.
 */
export function fenceText(text: string, label: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${label}\n${text}\n${fence}`;
}
