import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findPreset } from "../../../src/adapters/presets/find-preset.ts";
import type { StreamReading } from "../../../src/adapters/presets/preset.ts";
import { readEvents } from "../../../src/adapters/presets/read-events.ts";

/** 2026-11-20T12:00:00Z, when all samples end. */
export const now = Date.parse("2026-11-20T12:00:00Z");

/** What the samples of runs that ended well have as their final message: prose about everything that may go wrong. */
export const said =
  "The rate limit of the API is 429 Too Many Requests now; a 401 says: not logged in. Prompt is too long?\nTASK_COMPLETE";

export const samplePath = (sample: string): string => join(import.meta.dirname, "samples", `${sample}.ndjson`);

export const readSample = (sample: string): string => readFileSync(samplePath(sample), "utf8");

/** What the preset of a tool reads from a sample; null from one without events. */
export async function readingOf(tool: string, sample: string, exitCode = 0): Promise<StreamReading | null> {
  const reader = findPreset(tool).openReader?.();
  if (reader === undefined) throw new Error(`${tool} prints no events`);
  const file = openSync(samplePath(sample), "r");
  try {
    return (await readEvents(file, reader.see)) ? reader.end({ exitCode, stderr: "", now }) : null;
  } finally {
    closeSync(file);
  }
}
