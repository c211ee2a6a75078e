import { gzipSync } from "node:zlib";
import { renderPage } from "../../page/render-page.ts";
import { recordingOf } from "./grow-film.ts";
import { readFilm } from "./read-film.ts";
import type { StatusOptions } from "./read-status.ts";
import { readStories } from "./read-stories.ts";

/**
 * A run as one HTML document that needs nothing else: every step of it, and the evidence as far as there is room.
 *
 * @param folder Folder of the spec.
 * @throws What `readFilm` throws.
 */
export function exportPage(folder: string, options: StatusOptions = {}): string {
  const film = readFilm(folder, options);
  const { stories, left } = readStories(film);
  return renderPage({ recording: packed({ ...recordingOf(film), left }), stories: packed(stories) });
}

const packed = (data: unknown): string => gzipSync(JSON.stringify(data)).toString("base64");
