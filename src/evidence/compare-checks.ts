import { countOf } from "../model/text.ts";
import { docChecks, pythonExamples } from "./doc-checks.ts";
import { type Check, type Checks, findChecks } from "./find-checks.ts";
import type { FileChange, Red } from "./guard.ts";
import { squeeze, squeezeFile } from "./source-text.ts";
import { fileRole } from "./test-files.ts";

export interface Compared {
  readonly lost: readonly string[];
  /** Edits that affect a red check. */
  readonly edits: readonly string[];
  readonly shown: readonly string[];
}

/**
 * Compare the checks of a file before and after the work.
 *
 * @param elsewhere Checks that now run in other files.
 */
export function compareChecks(
  { path, before, after }: FileChange & { readonly before: string },
  reds: readonly Red[],
  elsewhere: readonly Check[],
): Compared {
  const was = withRedDocs(path, before, findChecks(path, before), reds);
  if (was === null || was.checks.length === 0) return compareText(path, before, after, isRedFile(path, reds));
  const now = withDocs(path, after ?? "", findChecks(path, after ?? "") as Checks);
  const redHere = redsOf(path, was.checks, reds);
  const lost: Check[] = [];
  const edited: Check[] = [];
  // A red check has run, although it may skip itself on a condition; one that must fail may become an ordinary one.
  const hasRun = (check: Check): boolean =>
    check.runs ||
    (!mustFail.test(check.body) && redHere.has(check) && reds.some(({ name }) => name !== "" && isNamed(check, name)));
  for (const check of was.checks.filter(hasRun)) {
    const found = whereNow(check, now.checks, elsewhere);
    if (found === null) lost.push(check);
    else if (withoutName(found) !== withoutName(check)) edited.push(check);
  }
  const weakened = edited.filter((check) => redHere.has(check));
  const here = [...redHere].filter((check) => whereNow(check, now.checks, []) !== null);
  const around = (checks: Checks): readonly string[] => linesAround(checks, here, fileRole(path) === "code");
  const shared = here.length > 0 ? sharedEdit(around(was), around(now), here) : null;
  return {
    lost: lost.length === 0 ? [] : [fate(lost, now, was.checks.length)],
    edits: [
      ...weakened.map(({ leaf }) => `the red check ${JSON.stringify(leaf)} was edited`),
      ...(shared === null ? [] : [`code used by a red check was edited: ${shared}`]),
    ],
    shown: ["was changed; its checks still run"],
  };
}

const mustFail = /xfail|expectedFailure|\.fail(?:s|ing)\b|\btodo\b/;

/** Describe how a document's examples that ran as checks were changed; null if they were not changed. */
export function compareExamples(before: string, after: string): string | null {
  const were = pythonExamples(before);
  const are = new Set(pythonExamples(after).map(({ body }) => body));
  const lost = were.filter(({ body, runs }) => runs && !are.has(body));
  return lost.length === 0 ? null : `${lost.length} of ${countOf(were.length, "example")} changed or gone`;
}

/** Whether a file contains checks, or examples that were red. */
export const containsChecks = (path: string, text: string, reds: readonly Red[]): boolean =>
  (withRedDocs(path, text, findChecks(path, text), reds)?.checks.length ?? 0) > 0;

/**
 * Add the documentation examples that red checks name. Other examples are omitted, since it is unknown whether a tool
 * runs them.
 */
function withRedDocs(path: string, text: string, found: Checks | null, reds: readonly Red[]): Checks | null {
  const here = reds.filter(({ file }) => file === path);
  const docs = docChecks(path, text).filter((check) => here.some(({ name }) => name === "" || isNamed(check, name)));
  return found && { ...found, checks: [...found.checks, ...docs] };
}

const withDocs = (path: string, text: string, found: Checks): Checks => ({
  ...found,
  checks: [...found.checks, ...docChecks(path, text)],
});

/** The current form of a check, found by name or by an equal body, here or in another file; null if there is none. */
function whereNow(check: Check, here: readonly Check[], elsewhere: readonly Check[]): Check | null {
  const mayRun = ({ runs }: Check): boolean => runs || !check.runs;
  const running = here.filter((other) => mayRun(other) && other.depth <= check.depth);
  const others = elsewhere.filter(mayRun);
  const same = (other: Check): boolean => other.name === check.name;
  const alike = (other: Check): boolean => other.body === check.body;
  return (
    running.find((other) => same(other) && alike(other)) ??
    running.find(same) ??
    [...running, ...others].find((other) => withoutName(other) === withoutName(check)) ??
    others.find(same) ??
    null
  );
}

/** A renamed or moved check has the same body except for its own name. */
const withoutName = ({ body, leaf }: Check): string => body.replace(squeeze(leaf), "");

function fate(lost: readonly Check[], now: Checks, total: number): string {
  const kept = lost.filter((check) => now.checks.some(({ name }) => name === check.name));
  const isAre = lost.length === 1 ? "is" : "are";
  const fateOf = kept.length === 0 ? "gone" : kept.length === lost.length ? "skipped" : "gone or skipped";
  return `${lost.length} of ${countOf(total, "test")} ${isAre} ${fateOf}`;
}

/**
 * The red checks of a file, found by name or by a string in the body. Returns all checks if a red name of the file
 * matches no check.
 */
export function redsOf(path: string, checks: readonly Check[], reds: readonly Red[]): ReadonlySet<Check> {
  const here = reds.filter(({ file, name }) => file === path || (file === null && name === ""));
  const byName = (red: Red): readonly Check[] => checks.filter((check) => isNamed(check, red.name));
  const isWhole = here.some((red) => byName(red).length === 0);
  const others = reds.filter(({ file, name }) => file === null && name !== "");
  return new Set(isWhole ? checks : [...here, ...others].flatMap(byName));
}

/** Whether a tool's name for a check, with groups and parameters, matches the check in the source. */
function isNamed({ leaf, body }: Check, name: string): boolean {
  const parts = name.split(/ > | › |::|\/|\[| - /).map((part) => part.trim());
  const fixed = leaf.split(/[%$#{]/)[0] as string;
  return parts.some(
    (part) =>
      part === leaf ||
      part.endsWith(`.${leaf}`) ||
      // In Go, the name of a check begins with its package.
      (/^(?:Test|Example|Fuzz)/.test(leaf) && part.endsWith(` ${leaf}`)) ||
      (fixed !== leaf && part.startsWith(fixed)) ||
      (part !== "" && body.includes(`"${squeeze(part)}"`)),
  );
}

const isRedFile = (path: string, reds: readonly Red[]): boolean =>
  reds.some(({ file, name }) => file === path || (file === null && name === ""));

function compareText(path: string, before: string, after: string | null, isRed: boolean): Compared {
  if (after === null) return { lost: ["is gone"], edits: [], shown: [] };
  const isSame = squeezeFile(path, before) === squeezeFile(path, after);
  if (isSame) return { lost: [], edits: [], shown: ["changed its format"] };
  const what = isRed ? "was edited, and contains red checks" : "was edited";
  return { lost: [], edits: isRed ? [what] : [], shown: [what] };
}

/**
 * Lines outside of checks that may affect a red check. In a code file, only lines in the group of a red check count,
 * since the other lines are the task's own work.
 */
const linesAround = ({ rest, groups }: Checks, reds: readonly Check[], isCode: boolean): readonly string[] =>
  rest.flatMap((line, at) => {
    const group = groups[at] as string;
    const isOwn = reds.some(({ name }) => name.startsWith(`${group} > `));
    if (isCode) return isOwn ? [line.trim()] : [];
    return group === "" || isOwn ? [line] : [line.replace(ownMember, "")];
  });
/** Matches code that sets a member of the test object, which only checks of the same group use. */
const ownMember = /^\s*(?:self|cls|this)\.\w+ = .*$/;

/** The first changed line outside of checks that may affect a red check; null if there is none. */
function sharedEdit(was: readonly string[], now: readonly string[], reds: readonly Check[]): string | null {
  const old = new Set(was.map(keyOf));
  const kept = new Set(now.map(keyOf));
  const imports = now.map(readImport).filter((found) => found !== null);
  const isWidened = (line: string): boolean => {
    const one = readImport(line);
    return imports.some(({ from, names }) => from === one?.from && one.names.every((name) => names.includes(name)));
  };
  const gone = was.find((line) => !kept.has(keyOf(line)) && !isWidened(line));
  if (gone !== undefined) return gone.trim();
  const bodies = new Set(reds.flatMap(({ body }) => wordsIn(body)));
  const known = new Set(was.map(readImport).map((found) => found?.from));
  const reaches = (line: string): boolean => {
    if (/^(?:\s|"""[^"]*"""$|[)\]}]|import \($|"[\w./-]+"$|$)/.test(line) && !reach.test(line)) return false;
    const found = readImport(line);
    if (found !== null) return !known.has(found.from) && found.names.some((name) => bodies.has(name));
    const declared = declaration.exec(line)?.[1];
    return declared === undefined || bodies.has(declared) || reach.test(line);
  };
  return now.find((line) => !old.has(keyOf(line)) && reaches(line))?.trim() ?? null;
}

const keyOf = (line: string): string => squeeze(line).replace(/^import(?=")/, "");
const wordsIn = (text: string): string[] => text.match(/[A-Za-z_]\w*/g) ?? [];
const declaration =
  /^(?:export )?(?:const|let|var|async function|function|class|def|async def|func|fn|type|interface) (\w+)/;
/** Matches words in code that may change other code. */
const reach = /mock|stub|patch|prototype|global|Object\.|Reflect|setattr|sys\.|exit|cache|\.\w+\s*=[^=>]/i;

interface Import {
  readonly from: string;
  readonly names: readonly string[];
}

/** Files are imported with or without extension, packages by name. */
const withoutExtension = (from: string): string => (from.startsWith(".") ? from.replace(/\.[cm]?[jt]sx?$/, "") : from);

function readImport(line: string): Import | null {
  const js =
    /^(?:import (.+) from|(?:const|let|var) (.+)=\s*(?:await import|require)\s*\() *["']([^"']+)["']\)?;?$/.exec(line);
  if (js !== null)
    return {
      from: withoutExtension(js[3] as string),
      names: wordsIn(js[1] ?? (js[2] as string)),
    };
  const python = /^from (\S+) import (.+)$/.exec(line);
  return python === null ? null : { from: python[1] as string, names: wordsIn(python[2] as string) };
}
