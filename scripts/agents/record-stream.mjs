import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readAttempt } from "./read-attempt.mjs";

const longest = 500;
const id = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

export function recordStream(folder, { name, version }, kase, place) {
  const { out, err } = readAttempt(place);
  const file = join(folder, `${name}-${version}-${kase.name.replaceAll(/[^a-z0-9]+/g, "-")}`);
  const clean = (text) =>
    text
      .replaceAll(place.workspace, "/workspace")
      .replaceAll(place.home, "/home/someone")
      .replaceAll(place.folder, "/tools")
      .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:8787")
      .replaceAll(id, "00000000-0000-4000-8000-000000000000");
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.ndjson`, clean(out).split("\n").map(shorten).join("\n"));
  if (err.trim() !== "") writeFileSync(`${file}.stderr.txt`, clean(err));
}

function shorten(line) {
  try {
    return JSON.stringify(JSON.parse(line), (_key, value) => {
      if (Array.isArray(value)) return value.slice(0, 20);
      if (typeof value !== "string" || value.length <= longest) return value;
      return `${value.slice(0, longest / 2)}…[cut]…${value.slice(-longest / 2)}`;
    });
  } catch {
    return line;
  }
}
