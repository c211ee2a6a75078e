import { readFileSync, statSync } from "node:fs";
import { isEvent, type StreamEvent } from "../output/stream-event.ts";

/** How many bytes of a settings file are read. */
const longest = 4 * 1024 * 1024;

/** The text of a tool's file; null when it is missing or cannot be read. */
export function readToolFile(path: string): string | null {
  try {
    // Reading a pipe or a device would wait.
    const found = statSync(path);
    return found.isFile() && found.size <= longest ? readFileSync(path, "utf8") : null;
  } catch {
    return null;
  }
}

/** The JSON object in a tool's file: null without the file, undefined for anything else. */
export function readToolJson(path: string): StreamEvent | null | undefined {
  const text = readToolFile(path);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a path exists. */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
