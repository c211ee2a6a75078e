import { gzipSync } from "node:zlib";
import { renderPage } from "../../page/render-page.ts";
import { readRecording } from "./read-recording.ts";
import type { StatusOptions } from "./read-status.ts";
import { readStories } from "./read-stories.ts";

/**
 * A run as one HTML document that needs nothing else: every step of it, and the evidence as far as there is room.
 *
 * @param folder Folder of the spec.
 * @throws What `readRecording` throws.
 */
export function exportPage(folder: string, options: StatusOptions = {}): string {
  const film = readRecording(folder, options);
  const { stories, left } = readStories(film);
  return renderPage({ recording: packed({ ...film.recording, left }), stories: packed(stories) });
}

const packed = (data: unknown): string => gzipSync(JSON.stringify(data)).toString("base64");
