import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));

/**
 * The file to which a program's import of `fixpoint/node` resolves. @param build A built checkout; this one by default.
 */
export function doorOf(build = here) {
  const { node, default: other } = JSON.parse(readFileSync(join(build, "package.json"), "utf8")).exports["./node"];
  return join(build, node ?? other);
}
