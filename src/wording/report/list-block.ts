/**
 * Lines of markdown as a list, in one block.
 *
 * @param mark Before each line; `1.` counts.
 * @param none The sentence that stands for a list without lines.
 */
export function listBlock(lines: readonly string[], mark: "-" | "1.", none: string): string {
  if (lines.length === 0) return none;
  return lines.map((line, index) => `${mark === "-" ? mark : `${index + 1}.`} ${line}`).join("\n");
}
