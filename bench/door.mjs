import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));

export function doorOf(build = here) {
  const { node, default: other } = JSON.parse(readFileSync(join(build, "package.json"), "utf8")).exports["./node"];
  return join(build, node ?? other);
}
