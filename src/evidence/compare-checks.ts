import { countOf } from "../model/text.ts";
import { type Check, type Checks, checksIn } from "./checks-in.ts";
import type { FileChange, Red } from "./guard.ts";
import { squeeze, squeezeFile } from "./source-text.ts";
import { fileRole } from "./test-files.ts";

/** Changes of the checks of one file. */
export interface Compared {
  /** Checks that no longer run, and edits that affect a red check. */
  readonly harms: readonly string[];
  readonly shown: readonly string[];
}

/**
 * Compare the checks of a file before and after.
 *
 * @param elsewhere Checks that now run in other files.
 */
export function compareChecks(
  { path, before, after }: FileChange & { readonly before: string },
  reds: readonly Red[],
  elsewhere: readonly Check[],
): Compared {
  const was = checksIn(path, before);
  if (was === null || was.checks.length === 0) return compareText(path, before, after, isRedFile(path, reds));
  const now = checksIn(path, after ?? "") as Checks;
  const redHere = redsOf(path, was.checks, reds);
  const lost: Check[] = [];
  const edited: Check[] = [];
  for (const check of was.checks.filter(({ runs }) => runs)) {
    const found = whereNow(check, now.checks, elsewhere);
    if (found === null) lost.push(check);
    else if (withoutName(found) !== withoutName(check)) edited.push(check);
  }
  const weakened = edited.filter((check) => redHere.has(check));
  const isShared = redHere.size > 0 && after !== null && fileRole(path) === "test";
  const shared = isShared ? sharedEdit(was, now, [...redHere]) : null;
  return {
    harms: [
      ...(lost.length === 0 ? [] : [fate(lost, now, was.checks.length)]),
      ...weakened.map(({ leaf }) => `the red check ${JSON.stringify(leaf)} was edited`),
      ...(shared === null ? [] : [`code used by a red check was edited: ${shared}`]),
    ],
    shown: ["was changed; its checks still run"],
  };
}

/** The current form of a check: by name, else by body, here or in another file; null if there is none. */
function whereNow(check: Check, here: readonly Check[], elsewhere: readonly Check[]): Check | null {
  const running = here.filter(({ runs, depth }) => runs && depth <= check.depth);
  const same = (other: Check): boolean => other.name === check.name;
  const alike = (other: Check): boolean => other.body === check.body;
  return (
    running.find((other) => same(other) && alike(other)) ??
    running.find(same) ??
    [...running, ...elsewhere].find((other) => withoutName(other) === withoutName(check)) ??
    elsewhere.find(same) ??
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

/** The red checks of a file, by their own name or one within it; all checks if the file is red as a whole. */
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
      (fixed !== leaf && part.startsWith(fixed)) ||
      (part !== "" && body.includes(`"${squeeze(part)}"`)),
  );
}

const isRedFile = (path: string, reds: readonly Red[]): boolean =>
  reds.some(({ file, name }) => file === path || (file === null && name === ""));

/** Compare a file whose checks cannot be parsed. */
function compareText(path: string, before: string, after: string | null, isRed: boolean): Compared {
  if (after === null) return { harms: ["is gone"], shown: [] };
  if (squeezeFile(path, before) === squeezeFile(path, after)) return { harms: [], shown: ["changed its format"] };
  const what = isRed ? "was edited, and contains red checks" : "was edited";
  return { harms: isRed ? [what] : [], shown: [what] };
}

/** The first edit outside of checks that may affect a red check, as its line; null if there is none. */
function sharedEdit(was: Checks, now: Checks, reds: readonly Check[]): string | null {
  const old = new Set(was.rest.map(keyOf));
  const kept = new Set(now.rest.map(keyOf));
  const imports = now.rest.map(readImport).filter((found) => found !== null);
  const isWidened = (line: string): boolean => {
    const one = readImport(line);
    return imports.some(({ from, names }) => from === one?.from && one.names.every((name) => names.includes(name)));
  };
  const gone = was.rest.find((line) => !kept.has(keyOf(line)) && !isWidened(line));
  if (gone !== undefined) return gone.trim();
  const bodies = new Set(reds.flatMap(({ body }) => wordsIn(body)));
  const known = new Set(was.rest.map(readImport).map((found) => found?.from));
  const reaches = (line: string): boolean => {
    if (/^(?:\s|"""[^"]*"""$|[)\]}]|import \($|"[\w./-]+"$|$)/.test(line) && !reach.test(line)) return false;
    const found = readImport(line);
    if (found !== null) return !known.has(found.from) && found.names.some((name) => bodies.has(name));
    const declared = declaration.exec(line)?.[1];
    return declared === undefined || bodies.has(declared) || reach.test(line);
  };
  return now.rest.find((line) => !old.has(keyOf(line)) && reaches(line))?.trim() ?? null;
}

const keyOf = (line: string): string => squeeze(line).replace(/^import(?=")/, "");
const wordsIn = (text: string): string[] => text.match(/[A-Za-z_]\w*/g) ?? [];
const declaration =
  /^(?:export )?(?:const|let|var|async function|function|class|def|async def|func|fn|type|interface) (\w+)/;
/** Words of code that changes other code. */
const reach = /mock|stub|patch|prototype|global|Object\.|Reflect|setattr|sys\.|exit|cache|\.\w+\s*=[^=>]/i;

interface Import {
  readonly from: string;
  readonly names: readonly string[];
}

/** Files are imported with or without extension; packages by name. */
const withoutExtension = (from: string): string => (from.startsWith(".") ? from.replace(/\.[cm]?[jt]sx?$/, "") : from);

/** Parse an import that binds names. */
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
