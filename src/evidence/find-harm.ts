import { covers } from "../model/paths.ts";
import { countOf } from "../model/text.ts";
import { compareChecks, compareExamples, containsChecks } from "./compare-checks.ts";
import { dataEdit } from "./data-edit.ts";
import { findBypass } from "./find-bypass.ts";
import { type Check, findChecks } from "./find-checks.ts";
import { findDeciders } from "./find-deciders.ts";
import { findSilenced } from "./find-silenced.ts";
import { fixtureEdit, importedBy, locate } from "./fixture-edit.ts";
import type { FileChange, GuardCase, Guarded, Harm, Red } from "./guard.ts";
import { type Found, harm, type Known, show } from "./guard.ts";
import { judgeConfig } from "./judge-config.ts";
import { readTask } from "./read-task.ts";
import { remapped } from "./remapped.ts";
import { replacementEdit } from "./replacement-edit.ts";
import { baseOf, fileRole, isForOther, isHelper, stemOf } from "./test-files.ts";

export type { FileChange, GuardCase, Guarded } from "./guard.ts";

/**
 * Find changes that a task's attempts made to the task's own proof, as described in `docs/verification.md`.
 *
 * @returns Changes for which the attempt is rejected; and changes that are only reported, because they cannot affect
 * the result or because the task names the file.
 */
export function findHarm(given: GuardCase): Guarded {
  const made = new Set(given.made);
  const reds = locate([...given.reds, ...docReds(given)], given).filter(({ file }) => file === null || !made.has(file));
  const changes = given.changes.filter(
    ({ before, after, unread, isNoProgram }) => before !== after || unread === true || isNoProgram === true,
  );
  const files = new Set(reds.flatMap(({ file }) => file ?? []));
  const now = new Map(changes.map(({ path, after }) => [path, after]));
  const readNow = (path: string): string | null => {
    const text = now.get(path);
    return text === undefined ? given.read(path) : text;
  };
  const known: Known = {
    ...{ ...given, reds, changes },
    behind: findDeciders(given.command, given.read),
    idle: findDeciders(given.command, readNow).idle,
    words: readTask(given.task, given.files, given.command),
    removed: changes.flatMap(({ path, before, after }) => (before !== null && after === null ? [path] : [])),
    redTexts: withHelpers([...files], given.read),
  };
  const harms: Harm[] = [];
  const shown: Harm[] = [];
  for (const change of changes) {
    const { path } = change;
    const found = judge(change, known);
    const list = isAllowed(change, known) || found.harms.length === 0 ? shown : harms;
    const told = found.harms.length > 0 ? found.harms : found.shown.slice(0, 1);
    list.push(...told.map((what) => ({ path, what })));
    // A task that names the file does not thereby ask to bypass its checks.
    for (const what of [findBypass(change, known), findSilenced(change, known)])
      if (what !== null) harms.push({ path, what });
  }
  const missing = countHarm(known);
  if (missing !== null) (isExplained(known) ? shown : harms).push({ path: "", what: missing });
  return { harms, shown };
}

/** Paths and texts of files with red checks, and of the helpers that they import. */
function withHelpers(files: readonly string[], read: GuardCase["read"]): Known["redTexts"] {
  const own = files.map((path) => [path, read(path) ?? ""] as const);
  const helpers = own
    .flatMap(([path, text]) => importedBy(path, text))
    .filter((path) => fileRole(path) !== "code" || isHelper(path))
    .flatMap((path) => (read(path) === null ? [] : [[path, String(read(path))] as const]));
  return [...new Map([...helpers, ...own])];
}

/** Python code whose examples the command runs as checks; a tool does not name those that fail. */
const docReds = ({ reds, command, changes }: GuardCase): readonly Red[] =>
  /\bdoctest\b/.test(command) && reds.some(({ name, file }) => name === "" && file === null)
    ? changes.flatMap(({ path }) => (path.endsWith(".py") ? [{ name: "", file: path }] : []))
    : [];

/** Whether the task asks to change a file. Naming a code file does not allow changes of the checks in the file. */
function isAllowed(change: FileChange, known: Known): boolean {
  const { path, before, after } = change;
  const { words, removed, reds } = known;
  if (words.isTestOf(path, removed) && (after !== null || !isWeakenedElsewhere(change, known))) return true;
  if (!words.names(path)) return false;
  if (fileRole(path) === "code") return !containsChecks(path, before ?? "", reds) || words.changes("test");
  const isRed = reds.some(({ file }) => file === path);
  return !isRed || words.namesTest(path);
}

/** Whether a red check of a removed test runs in another file, with another body. */
function isWeakenedElsewhere({ path, before }: FileChange, known: Known): boolean {
  const text = before as string;
  const elsewhere = checksElsewhere(path, known);
  return [text, known.words.renamed(text)].every(
    (was) => compareChecks({ path, before: was, after: null }, known.reds, elsewhere).edits.length > 0,
  );
}

/**
 * Whether the task explains why fewer checks run, but not why none do: it names a changed file with checks, or removes
 * the file under test.
 */
const isExplained = ({ changes, words, removed, runs }: Known): boolean =>
  runs?.after?.ran != null &&
  changes.some(
    ({ path, before }) =>
      before !== null &&
      (words.isTestOf(path, removed) || (words.names(path) && (findChecks(path, before)?.checks.length ?? 0) > 0)),
  );

/** Compare how many checks ran before and after, regardless of the changed files. */
function countHarm({ runs, behind }: Known): string | null {
  const [was, is] = [runs?.before?.ran ?? null, runs?.after?.ran ?? null];
  if (was === null || was === 0) return null;
  if (is !== null) return is < was ? `${is} of ${countOf(was, "check")} ran` : null;
  const isCounted = runs?.tools?.split("+").every((tool) => counting.test(tool)) === true;
  return isCounted && !behind.isQuiet ? `no check was counted after the work, but ${was} before it` : null;
}

/** Tools that print how many checks ran, whether they failed or not. */
const counting = /^(?:node:test|vitest|jest|mocha|pytest|unittest|cargo test)$/;

function judge(change: FileChange, known: Known): Found {
  const { path, before, after } = change;
  if (change.isNoProgram === true && before === after) {
    const isRun = [...known.behind.patterns].some((pattern) => covers(pattern, path));
    return fileRole(path) === "test" || isRun ? harm("is no longer executable") : show("is no longer executable");
  }
  const placed = replacementEdit(change, known);
  // A new nested repository cannot be read, but its name alone can do harm.
  if (before === null && placed.harms.length > 0) return placed;
  const all = [
    judgeConfig(change, known),
    placed,
    remapped(change, known),
    dataEdit(change, known),
    proving(change, known),
  ];
  if (change.unread === true) {
    const isGuarded = fileRole(path) !== "code" || all.some((found) => found.harms.length + found.shown.length > 0);
    if (!isGuarded) return show();
    return before && !after ? harm("is no longer readable") : show("could not be read");
  }
  return { harms: all.flatMap(({ harms }) => harms), shown: all.flatMap(({ shown }) => shown) };
}

/** Whether only linters found something: then a test with a finding has to be edited. */
const isLinted = ({ runs }: Known): boolean =>
  runs?.tools?.split("+").every((tool) => /^(?:biome|eslint|oxlint|shellcheck)$/.test(tool)) === true;

/** Documents with examples that tools may run as checks. */
const isDocument = /\.(?:md|rst|txt)$/;

/** Judge edits of checks, fixtures and snapshots. */
function proving(change: FileChange, known: Known): Found {
  const { path, before, after } = change;
  const role = fileRole(path);
  if (before === null || (known.made ?? []).includes(path)) return role === "code" ? show() : show("is new");
  const text = known.words.renamed(before);
  const now = after === null ? null : known.words.renamed(after);
  if (text === now) return show("follows a renaming by the task");
  // In a makefile or manifest, only the part that the command uses is judged.
  const isInParts = known.behind.deciders.some((decider) => decider.path === path && decider.part !== null);
  const hasChecks = containsChecks(path, before, known.reds) && role !== "snapshot";
  // Code with a finding of a compiler or linter must be edited, so it is not protected.
  const isRed = !isInParts && role !== "code" && known.reds.some(({ file }) => file === path);
  if (role !== "test" && after === null && isMoved(change, known)) return show("was moved");
  if (role === "test" || isRed || hasChecks) {
    const { lost, edits, shown } = compareChecks(
      { path, before: text, after: now },
      known.reds,
      checksElsewhere(path, known),
    );
    const mayEdit = known.words.changes("test") || isLinted(known);
    return { harms: [...lost, ...(mayEdit ? [] : edits)], shown };
  }
  if (known.words.changes(role)) return show("was edited, as the task asks");
  const isRun = ({ file }: Red): boolean => (file === null ? known.behind.words.has(path) : file === path);
  const examples = isDocument.test(path) && known.reds.some(isRun) ? compareExamples(before, after ?? "") : null;
  if (examples !== null) return harm(examples);
  if (role === "snapshot") return snapshotEdit(before, after ?? "", path, known);
  return role === "fixture" || isHelper(path) || checksOthers.test(before) ? fixtureEdit(path, known) : show();
}

/** Whether a removed file is unchanged in another folder, and the files of all red checks were removed, too. */
const isMoved = ({ path, before }: FileChange, { changes, reds, removed }: Known): boolean =>
  reds.every(({ file }) => file !== null && removed.includes(file)) &&
  changes.some((other) => other.before === null && other.after === before && baseOf(other.path) === baseOf(path));

/** Matches code that imports a test library. */
const checksOthers =
  /(?:\bfrom|\brequire\(|\bimport)\s{0,4}["'](?:vitest|@jest\/globals|chai|node:test)["']|^\s{0,20}(?:import |from )(?:pytest|unittest)\b|^\s{0,20}(?:import )?"testing"$/m;

/** Matches folders and names in which no tool searches for checks. */
const aside =
  /(?:^|\/)(?:[._](?!_tests__)[^/]*|testdata|fixtures?|node_modules|vendor|disabled|skipped|attic|archived?|old|backup)\/|(?:^|\/)_[^/]*_test\.go$/;

/**
 * Checks that tools probably find in other changed files now: the command searches there, or at least as many checks ran as
 * before.
 */
function checksElsewhere(path: string, { changes, behind, runs }: Known): readonly Check[] {
  const lies = (file: string): boolean =>
    [...behind.words].some((word) => word !== "" && (file === word || file.startsWith(`${word}/`)));
  const [was, is] = [runs?.before?.ran ?? null, runs?.after?.ran ?? null];
  const isCounted = was !== null && is !== null && is >= was;
  const isRun = (other: string): boolean =>
    !aside.test(other) &&
    !isForOther.test(other) &&
    (formOf(other) === formOf(path) || behind.programs.has("pytest")) &&
    (isCounted || (topOf(other) === topOf(path) && (lies(other) || !lies(path))));
  return changes
    .filter((other) => other.path !== path && fileRole(other.path) === fileRole(path) && isRun(other.path))
    .flatMap((other) => findChecks(other.path, other.after ?? "")?.checks ?? []);
}

/** The mark by which tools find a test by its name. */
const formOf = (path: string): string =>
  /^test[-_]|(?:[-_.](?:test|spec)|Tests?|IT|Spec|TestCase)(?=\.\w+$)/.exec(baseOf(path))?.[0] ?? "";

const topOf = (path: string): string => (path.includes("/") ? path.slice(0, path.indexOf("/")) : "");

function snapshotEdit(before: string, after: string, path: string, { reds, changes }: Known): Found {
  const moved = changes.filter((other) => fileRole(other.path) === "snapshot").map((other) => other.after ?? "");
  const now = new Set([after, ...moved].flatMap(entries).map((entry) => entry.trim()));
  const lost = entries(before).filter((entry) => !now.has(entry.trim()));
  const isOf = ({ name, file }: Red): boolean => {
    if (file !== null && !path.includes(stemOf(file))) return false;
    return lost.some((entry) => entry.includes(name.split(/ > | › |::/).at(-1) as string));
  };
  if (lost.length === 0) return show("has new snapshots");
  return reds.some(isOf) ? harm("a snapshot of a red check was edited") : show("a snapshot was edited");
}

const entries = (text: string): string[] => text.split(/^(?=exports\[|# name:)/m);
