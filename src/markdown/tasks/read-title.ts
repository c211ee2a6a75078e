import type { TaskId } from "../../model/task.ts";
import { trimBlank } from "../text/line-ending.ts";

const number = String.raw`(?:[A-Z][A-Z0-9]{0,7}-?)?\d+[a-z]?(?:[.-]\d+[a-z]?)*`;
// A name without a number, as in `VF [VERIFY] Goal`, needs a marker behind it to be told from a word.
const name = String.raw`[A-Z][A-Z0-9]{1,7}(?:-[A-Z0-9]+)*(?:\.\d+)*(?=\s+\[[A-Z])`;
const mark = "(?:\\*\\*|__|~~|`)?";
const heading = new RegExp(String.raw`^${mark}(${number}|${name})(?:[.:)]?${mark}[.:)]?)(?=\s|$)`);
const bracket = /^\s*\[/;
// What a link follows is none, nor is a label; words in capitals are, side by side and with a colon, too.
const marker = /^\s*\[([A-Za-z][^\]\n]{0,40})\](?:(?![([:])|(?=\[[A-Z]))/;
const markerWithColon = /^\s*\[([A-Z][A-Z0-9]*)\]:(?=\s)/;

/** What the line of a task says, taken apart. */
export interface Title {
  /** Null when none is written. */
  readonly id: TaskId | null;
  readonly markers: readonly string[];
  readonly title: string;
}

/** Take a title apart: id, then markers, then the rest. @param line Source behind the box, on one line. */
export function readTitle(line: string): Title {
  const found = heading.exec(line);
  let rest = found === null ? line : line.slice(found[0].length);
  const markers: string[] = [];
  for (let next = markerOf(rest); next !== null; next = markerOf(rest)) {
    markers.push(next[1] as string);
    rest = rest.slice(next[0].length);
  }
  return {
    id: found?.[1] ?? null,
    markers: markers.length === 0 ? noMarkers : markers,
    title: trimBlank(rest),
  };
}

/** One for all tasks without a marker, of which a plan has many. */
const noMarkers: readonly string[] = [];

const markerOf = (rest: string): RegExpExecArray | null =>
  bracket.test(rest) ? (marker.exec(rest) ?? markerWithColon.exec(rest)) : null;

/** The task that a `[FIX <id>]` marker names. */
export const fixOfMarkers = (markers: readonly string[]): TaskId | null =>
  markers.find((found) => /^FIX \S+$/.test(found))?.slice(4) ?? null;
