/** Lines as a numbered list, from 1. */
export const numberLines = (lines: readonly string[]): string =>
  lines.map((line, index) => `${index + 1}. ${line}`).join("\n");
