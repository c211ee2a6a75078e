import { encodeText } from "../text/encode-text.ts";
import { plainLine } from "../text/plain-line.ts";

/** The text of a progress log that nothing has been written to. @param spec Name of the spec, or its folder. */
export function newProgress(spec: string): string {
  const name = plainLine(spec.split(/[\\/]/).findLast((part) => part !== "") ?? "", 100);
  return `# Progress: ${encodeText(name, "Progress: ")}\n\n## Completed Tasks\n\n## Learnings\n`;
}
