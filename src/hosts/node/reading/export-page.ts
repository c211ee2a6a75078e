import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import { commandLine } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import { renderPage } from "../../page/render-page.ts";
import { specAddress } from "../spec-address.ts";
import { recordingOf } from "./grow-film.ts";
import { readFilm } from "./read-film.ts";
import type { StatusOptions } from "./read-status.ts";
import { readStories } from "./read-stories.ts";

/**
 * A run as one HTML document that needs nothing else: every step of it, and the evidence as far as there is room.
 *
 * @param folder Folder of the spec.
 * @throws {InputError} `journal-missing` when the spec was never run; what `readFilm` throws
 */
export function exportPage(folder: string, options: StatusOptions = {}): string {
  const film = readFilm(folder, options);
  if (film.starts.length === 0) throw neverRun(folder, options);
  const { stories, left } = readStories(film);
  return renderPage({ recording: packed({ ...recordingOf(film), left }), stories: packed(stories) });
}

function neverRun(folder: string, { address }: StatusOptions): InputError {
  const name = basename(folder);
  return new InputError(`Cannot export \`${name}\`, expected a spec that was run`, {
    code: "journal-missing",
    hint: `Run it first: ${commandLine(address ?? specAddress({ folder, name }), "run")}`,
  });
}

const packed = (data: unknown): string => gzipSync(JSON.stringify(data)).toString("base64");
