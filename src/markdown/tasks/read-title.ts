import type { TaskId } from "../../model/task.ts";
import { trimBlank } from "../text/line-ending.ts";

const numbers = String.raw`\d+(?:[a-z]|[A-Z](?=\.\d))?(?:[.-]\d+[a-z]?)*`;
const forms = [
  // `1.3`, `3`, `T001`, `AC-9`; `5.3B`, `1.G`; `T-M1-001`; `3A.1`, a fix below a heading.
  String.raw`(?:[A-Z][A-Z0-9]{0,7}-?)?${numbers}(?:(?:(?<=\.\d{1,4})[A-Z]|\.[A-Z])(?:\.\d+)*)?(?![A-Za-z])`,
  String.raw`[A-Z]{1,8}(?:-[A-Z]?\d+)+(?:\.\d+)*`,
  // `T071-B`, `T033-MIN`.
  String.raw`T\d{2,4}-[A-Z]{1,8}`,
  // `Task-2-1:`.
  String.raw`[A-Z][a-z]{1,11}-\d+(?:[.-]\d+)*(?=:)`,
  // A name without a number, as in `VF [VERIFY] Goal`, may be a word: it is an id only before a marker.
  String.raw`[A-Z][A-Z0-9]{1,7}(?:-[A-Za-z0-9]+)*(?:\.\d+)*(?=\s+\[[A-Z])`,
];
const mark = "(?:\\*\\*|__|~~|`)?";
/** A number that counts things and is no id: `3 个测试`, `6 pulls per day`. */
const counting = /^\d+ (?:[个個種种件条項项名回次天日週周倍]|[a-z]{2,20}(?<![su])s(?![\w-]))/u;
const heading = new RegExp(
  String.raw`^(?!\d{4}-\d\d-\d\d)${mark}(${forms.join("|")})(?:[.:)]?${mark}[.:)]?)(\*(?!\*))?(?=\s|$)`,
);
/** An id in brackets: `[T001]`, `[SETUP-001]`, `[1.1]`. In contrast, `[US1]` and `[P1]` are markers. */
const inBrackets = /^(?:\*\*)?\[(T\d+|[A-Z][A-Z0-9]{0,9}-\d+|\d+(?:\.\d+)+[a-z]?)\](?:\*\*)?(?=\s)/;
/** An id in lower case, such as `tdg-2.1`, may be a word: it is an id only if it is written as code. */
const inCode = /^`([a-z]{1,8}-\d+(?:\.\d+)*)`(?=\s|$)/;
/** A number after the word `Task`: `Task 1: Title`, `**Task 1**: Title`. */
const named = /^(?:\*\*)?Task[ \t]+(\d+(?:\.\d+)*)(?:(?:[:.)](?:\*\*)?|\*\*[:.)])(?=\s|$)|(?=\s+\(AC\b))/i;
const dash = /^\s+[\u00B7\u2013\u2014-](?=\s)/;
const bracket = /^\s*\[/;
// A link or a label is not a marker. Markers in upper case may follow each other without a blank, and may have a colon.
const marker = /^\s*\[([A-Za-z][^\]\n]{0,40})\](?:(?![([:])|(?=\[[A-Z]))/;
const markerWithColon = /^\s*\[([A-Z][A-Z0-9]*)\]:(?=\s)/;
const parallel = /^\s*\(P\)(?=\s)/;
/** A second name between an id and `[VERIFY]`: `4.1 V4 [VERIFY] Full local CI`. */
const secondName = /^\s+([A-Z][A-Z0-9]{0,7})(?=\s+\[VERIFY\])/;

export interface Title {
  /** Null when no id is written. */
  readonly id: TaskId | null;
  readonly markers: readonly string[];
  readonly title: string;
  /** Whether a star after the id marks the task as optional. */
  readonly isOptional: boolean;
}

export function readTitle(line: string): Title {
  const markers: string[] = [];
  let found = idAt(line);
  let rest = line;
  if (found === null) {
    const behind = takeMarkers(line, markers);
    found = markers.length === 0 ? null : idBehind(behind.trimStart());
    if (found === null) markers.length = 0;
    else rest = behind.trimStart();
  }
  if (found !== null) rest = rest.slice(found[0].length);
  const [whole = "", name] = found === null ? [] : (secondName.exec(rest) ?? []);
  rest = takeMarkers(rest.slice(whole.length).replace(dash, ""), markers);
  const written = trimBlank(name === undefined ? rest : `${name} ${trimBlank(rest)}`);
  const title = written.replace(/^\*\*[ \t]+/, "");
  // If bold text begins before the id, it ends after the markers or in the title.
  const isOpen = found?.[0].startsWith("**") === true && !found[0].includes("**", 2) && title === written;
  return {
    id: found?.[1] ?? null,
    markers: markers.length === 0 ? noMarkers : markers,
    title: isOpen && title.includes("**") ? `**${title}` : title,
    isOptional: found?.[2] !== undefined,
  };
}

const idAt = (line: string): RegExpExecArray | null =>
  counting.test(line) ? null : (heading.exec(line) ?? inBrackets.exec(line) ?? inCode.exec(line) ?? named.exec(line));

/** Find the id after markers. A plain number after markers is no id, since it may be a part of the title. */
function idBehind(line: string): RegExpExecArray | null {
  const found = idAt(line);
  return found !== null && /[A-Z.]/.test(found[1] as string) ? found : null;
}

/** Move the markers at the start of a text to `markers`; returns the rest. */
function takeMarkers(text: string, markers: string[]): string {
  let rest = text;
  for (;;) {
    const next = markerOf(rest) ?? parallel.exec(rest);
    if (next === null) return rest;
    markers.push(next[1] ?? "P");
    rest = rest.slice(next[0].length);
  }
}

/** One array for all tasks without a marker saves memory. */
const noMarkers: readonly string[] = [];

const markerOf = (rest: string): RegExpExecArray | null =>
  bracket.test(rest) ? (marker.exec(rest) ?? markerWithColon.exec(rest)) : null;

export const fixOfMarkers = (markers: readonly string[]): TaskId | null =>
  markers.find((found) => /^FIX \S+$/.test(found))?.slice(4) ?? null;

/** Generate an id for a task without a written id: `H` and six digits of a hash (FNV-1a) of its title. */
export function generatedId(title: string): TaskId {
  let hash = 0x811c9dc5;
  for (let at = 0; at < title.length; at += 1) {
    hash = Math.imul(hash ^ title.charCodeAt(at), 0x01000193) >>> 0;
  }
  return `H${String(hash % 1_000_000).padStart(6, "0")}`;
}

export const isGeneratedId = (id: TaskId): boolean => /^H\d{6}(?:[b-z]|-\d+)?$/.test(id);

/**
 * Return a function that gives each task a unique id. A repeated title gets the suffix `b`, `c` and so on to `z`, then
 * a number.
 *
 * @param written Ids that the plan contains; none of them is generated.
 */
export function createNaming(written: ReadonlySet<TaskId>): (title: string) => TaskId {
  const used = new Set(written);
  const repeats = new Map<TaskId, number>();
  return (title) => {
    const base = generatedId(title);
    for (let n = repeats.get(base) ?? 0; ; n += 1) {
      const id = n === 0 ? base : n < 26 ? `${base}${String.fromCharCode(97 + n)}` : `${base}-${n + 1}`;
      if (used.has(id)) continue;
      used.add(id);
      repeats.set(base, n + 1);
      return id;
    }
  };
}

/** Titles of tasks for a person, in several languages. */
const person = [
  /^(?:\*\*|_)?(?:manual(?:ly)?|by hand|human|person|user)(?:\*\*|_)?[ \t]?[:：]/i,
  /^(?:\*\*|_)?(?:manual(?:ly)?|by hand|human)(?:\*\*|_)? [\u2013\u2014-] /i,
  /^(?:\*\*|_)?manual\b[^:.]{0,30}:/i,
  /^(?:\*\*|_)?(?:(?:final|run|perform|do|conduct|execute|complete) (?:the |a )?)?manu(?:al(?:ly)?|ell\w{0,2}),? (?:[\w-]{1,16} )?(?:test|tests|testing|smoke|verif\w{1,9}|check|checks|checklist|QA|validat\w{1,4}|review|inspect\w{0,3}|confirm\w{0,6}|prüf\p{L}{2,5})(?!\p{L})/iu,
  /^(?:(?:fazer|realizar|hacer) )?(?:smoke(?: test)?|teste|(?:verifica|valida)(?:ção|ción)|prueba|revis(?:ão|ión)|vérification)(?: visual)? manu(?:al|elle)(?!\p{L})|^(?:verif|test|check|valid|confirm|review|revis|inspe|prob|compro)\p{L}{0,6} manual(?:mente|ly)(?!\p{L})/iu,
  /\((?:manual|human|by hand|user action)[^)]{0,40}\)/i,
  /\[(?:manual|human|user|decision)\]/i,
  /^[A-Z]{2,3} manually [a-z]{3,12}s\b|\bUser Manual Verification\b/,
  /[\u2013\u2014-] (?:requires?|needs?) (?:manual|human|visual) |[\u2013\u2014-] requi?er[ei]? \p{L}{1,20} (?:visual|manual|humana?)(?!\p{L})/iu,
  /\b(?:ask|wait for|get|obtain)\b.{0,40}\b(?:user(?:'s)?|human|owner|maintainer) (?:approval|sign-?off|confirmation|review)(?=[ \t]?(?:[.,;:)]|$)| (?:on|of|for|from|before|to)\b)/i,
  /^(?:(?:get|obtain|await|wait for|request) (?:the )?(?:approval|sign-?off)(?=[ \t]?(?:[.,;:)]|$)| (?:on|of|for|from|before|to)\b)|(?:\*\*)?decision (?:required|needed)\b)/i,
  /^(?:\*\*)?(?:(?:手动|人工|手作業|手動)[^:：（(]{0,6}[:：（(]|(?:手动|人工)(?:测试|验证|确认|审核)|目視|手動(?:確認|テスト|検証))/u,
];
/** Maximum distance in UTF-16 code units of the words "ask the user" from the start of a checkpoint task. */
const longestQuestion = 600;
const optional =
  /^\(optional\)|^optional(?:[ \t]?[:：]| [\u2013\u2014-] )|\(optional(?:\)| [\u2013\u2014-] )|[(（]可[选選][)）]|[(（・]任意[)）]|\[optional\]/i;
const deferred =
  /^(?:\*\*|_)?deferred(?:\*\*|_)?(?:$|[:：.(]| [\u2013\u2014-]| (?:by|to|until|for)\b)|[\u2013\u2014-] deferred(?:$|[;:,.]| (?:by|to|until|for)\b)|\[deferred\]|\(deferred\b/i;

/** A task of Conductor, which marks a task in progress with `[~]`. */
const ofConductor = /^(?:\*\*)?(?:Sub-)?task:/i;

/**
 * Reason not to delegate a task, according to its line.
 *
 * @param box Source from the character in the box to the title, such as `~]` or ` ]*`. @param block Source of the task
 * from its title on.
 */
export function asideOf(
  box: string,
  { title: written, markers, isOptional }: Omit<Title, "id">,
  block: string,
): "optional" | "deferred" | "person" | null {
  const title = [written, ...markers.map((each) => `[${each}]`)].join(" ");
  if (isOptional || box.includes("*") || optional.test(title)) return "optional";
  if (deferred.test(title)) return "deferred";
  const isQuestion =
    /\bcheckpoint\b|检查点/i.test(title) && /ask the user\b|询问/i.test(block.slice(0, longestQuestion));
  if (isQuestion || person.some((said) => said.test(title))) return "person";
  return box.startsWith("~") && !ofConductor.test(title) ? "deferred" : null;
}
