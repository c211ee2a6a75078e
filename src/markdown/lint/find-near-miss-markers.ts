import { lintProblem, type Problem } from "../../model/rule.ts";
import type { Task } from "../../model/task.ts";
import { editDistance } from "../../model/text.ts";

/** The markers that mean something, but for `[FIX <id>]`. */
const known = ["P", "VERIFY", "RED", "GREEN", "YELLOW", "FINALLY"] as const;

/** Letters of a marker from which on one wrong letter still tells which is meant. */
const longWord = 5;

/** What has a marker's letters in brackets, without being one: misspelt, or at another place of the title. */
export const findNearMissMarkers = (tasks: readonly Task[]): Problem[] => tasks.flatMap(nearMisses);

function nearMisses({ id, line, markers, title }: Task): Problem[] {
  const misspelt = markers.flatMap((written) => {
    const meant = meantBy(written);
    return meant === null || meant === written ? [] : [misspeltMarker(id, line, written, meant)];
  });
  const misplaced = bracketed(title).flatMap((written) => {
    const meant = meantBy(written);
    return meant === null ? [] : [misplacedMarker(id, line, written, meant)];
  });
  return [...misspelt, ...misplaced];
}

/** What stands in brackets in a title, but for code and links. */
const bracketed = (title: string): string[] =>
  [...title.replace(/`[^`]*`/g, " ").matchAll(/\[([A-Za-z][^[\]]{0,40})\](?![[(:])/g)].map(([, text = ""]) => text);

/** The marker that somebody has meant who wrote this; null for none. */
function meantBy(written: string): string | null {
  const fix = /^FIX[\s:#-]{1,3}([A-Z]{0,8}-?\d\S*)$/i.exec(written.trim());
  if (fix !== null) return `FIX ${fix[1]}`;
  const typed = written.trim().toUpperCase();
  // As in VERIFIED and VERIFICATION.
  if (/^VERIF[A-Z]*$/.test(typed)) return "VERIFY";
  const isMeant = (marker: string): boolean =>
    typed === marker || (marker.length >= longWord && editDistance(typed, marker) === 1);
  return known.find(isMeant) ?? null;
}

const misspeltMarker = (id: string, line: number, written: string, meant: string): Problem =>
  lintProblem(
    "near-miss-marker",
    line,
    `Task \`${id}\` has \`[${written}]\`, which is not a marker and changes nothing`,
    `Write \`[${meant}]\` if that is meant.`,
  );

const misplacedMarker = (id: string, line: number, written: string, meant: string): Problem =>
  lintProblem(
    "near-miss-marker",
    line,
    `Task \`${id}\` has \`[${written}]\` inside its title, where it is not a marker and changes nothing`,
    `Write \`[${meant}]\` right after the id, as in \`- [ ] ${id} [${meant}] …\`, if the marker is meant.`,
  );
