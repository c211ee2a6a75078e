import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { StreamReading } from "../../../src/adapters/presets/preset.ts";
import { findPreset } from "../../../src/adapters/presets/presets.ts";
import { readEvents } from "../../support/read-events.ts";

export const now = Date.parse("2026-11-20T12:00:00Z");

const recorded: Readonly<Record<string, readonly [version: string, limited: string | null]>> = {
  claude: ["2.1.330", "rate"],
  codex: ["0.169.0", "rate"],
  copilot: ["1.0.102", "rate"],
  droid: ["0.225.2", null],
  gemini: ["0.61.0", "usage"],
  opencode: ["1.18.33", "rate"],
  qwen: ["0.24.4", null],
};

export const saidBy = (tool: string): string =>
  Object.hasOwn(recorded, tool)
    ? "The task is done as asked.\n\nTASK_COMPLETE"
    : "The rate limit of the API is 429 Too Many Requests now; a 401 says: not logged in. Prompt is too long?\nTASK_COMPLETE";

export const recordedPath = (tool: string, recordedCase: string): string =>
  join(import.meta.dirname, "../../fixtures/streams", `${tool}-${recorded[tool]?.[0]}-${recordedCase}.ndjson`);

export function samplePath(sample: string): string {
  const [tool = "", ...rest] = sample.split("-");
  const limited = recorded[tool]?.[1] ?? null;
  if (rest.length === 0 && Object.hasOwn(recorded, tool)) return recordedPath(tool, "pass");
  if (rest.join("-") === "rate-limit" && limited !== null) return recordedPath(tool, limited);
  return join(import.meta.dirname, "samples", `${sample}.ndjson`);
}

export const readSample = (sample: string): string => readFileSync(samplePath(sample), "utf8");

export const readingOf = (tool: string, sample: string, exitCode = 0): Promise<StreamReading | null> =>
  readingIn(tool, samplePath(sample), exitCode, now);

export async function readingIn(tool: string, path: string, exitCode: number, at: number) {
  const reader = findPreset(tool).openReader?.();
  if (reader === undefined) throw new Error(`${tool} prints no events`);
  const file = openSync(path, "r");
  try {
    return (await readEvents(file, reader.see)) ? reader.end({ exitCode, stderr: "", now: at }) : null;
  } finally {
    closeSync(file);
  }
}
