import { readFileSync } from "node:fs";
import { dirname } from "node:path";

/** Line and column at the end of a line of a stack. */
const position = /:(\d{1,9}):\d{1,9}\)?$/;
/** The bundler's line above what it took from a file. */
const heading = /^\/\/ ((?:src|machines|node_modules)\/\S+)$/;

/**
 * A stack with the source of each place in the bundled command: `src/parse/x.ts in /…/chunk.js:1:2`.
 *
 * @param folder Of the bundled files; places elsewhere stay as they are.
 */
export function nameSources(stack: string, folder: string): string {
  return stack
    .split("\n")
    .map((line) => {
      const found = position.exec(line);
      const start = Math.max(line.lastIndexOf("("), line.lastIndexOf(" ")) + 1;
      const file = line.slice(start, found?.index);
      const source = found === null || dirname(file) !== folder ? undefined : sourceOf(file, Number(found[1]));
      return source === undefined ? line : `${line.slice(0, start)}${source} in ${line.slice(start)}`;
    })
    .join("\n");
}

function sourceOf(file: string, line: number): string | undefined {
  try {
    const lines = readFileSync(file, "utf8").split("\n").slice(0, line);
    return heading.exec(lines.findLast((each) => heading.test(each)) ?? "")?.[1];
  } catch {
    // The program was taken away; the stack is still worth telling.
    return undefined;
  }
}
