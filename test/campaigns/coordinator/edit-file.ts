import { readFileSync, writeFileSync } from "node:fs";

export function editFile(path: string, from: string, to: string): void {
  const text = readFileSync(path, "utf8");
  if (!text.includes(from)) throw new Error(`Cannot edit \`${path}\`, expected \`${from}\` in it`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
}
