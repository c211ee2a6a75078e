import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export function readAttempt({ workspace }) {
  const data = join(workspace, "specs/demo/.fixpoint");
  const files = existsSync(data) ? readdirSync(data, { recursive: true }) : [];
  const read = (kind) => {
    const file = files.find((path) => path.endsWith(`1.1#1.${kind}`));
    return file === undefined ? "" : readFileSync(join(data, file), "utf8");
  };
  return { out: read("out"), err: read("err") };
}
