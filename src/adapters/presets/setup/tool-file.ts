import { readFileSync, statSync } from "node:fs";
import { isEvent, type StreamEvent } from "../output/stream-event.ts";

/** Bytes of a settings file that is read. */
const longest = 4 * 1024 * 1024;

/** The text of a file of a tool; null for one that is not there or cannot be read. */
export function readToolFile(path: string): string | null {
  try {
    // A pipe or a device would be waited for.
    const found = statSync(path);
    return found.isFile() && found.size <= longest ? readFileSync(path, "utf8") : null;
  } catch {
    return null;
  }
}

/** The JSON object in a file of a tool: null where there is no file, undefined for what is no such object. */
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

/** Whether something is there. */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
