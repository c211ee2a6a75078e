import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));

/** @param build A built checkout; this checkout by default. */
export function doorOf(build = here) {
  const { node, default: other } = JSON.parse(readFileSync(join(build, "package.json"), "utf8")).exports["./node"];
  return join(build, node ?? other);
}
