import { countOf } from "../model/text.ts";
import { compareChecks, compareExamples, containsChecks } from "./compare-checks.ts";
import {
  earlyExits,
  endsReader,
  exitsWhenLoaded,
  patchesChecks,
  replacedBy,
  replacedStandard,
  selectsTests,
  swallows,
} from "./early-exit.ts";
import { type Check, findChecks } from "./find-checks.ts";
import { findDeciders } from "./find-deciders.ts";
import { findSilenced } from "./find-silenced.ts";
import { fixtureEdit, importedBy, locate } from "./fixture-edit.ts";
import type { FileChange, GuardCase, Guarded, Harm, Red } from "./guard.ts";
import { type Found, harm, type Known, show, uses, wordsIn } from "./guard.ts";
import { judgeConfig } from "./judge-config.ts";
import { readTask } from "./read-task.ts";
import { remapped, replacementEdit } from "./replacement-edit.ts";
import { fileRole, isHelper, stemOf } from "./test-files.ts";

export type { FileChange, GuardCase, Guarded } from "./guard.ts";

/**
 * Find changes that a task's attempts made to the task's own proof, as described in `docs/verification.md`.
 *
 * @returns Changes for which the attempt is rejected; and changes that are only reported, because they cannot affect
 * the result or because the task names the file.
 */
export function findHarm(given: GuardCase): Guarded {
  const made = new Set(given.made);
  const reds = locate(given.reds, given).filter(({ file }) => file === null || !made.has(file));
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
    redTexts: [...files].map((path) => [path, given.read(path) ?? ""] as const),
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
    for (const what of [exiting(change, known), findSilenced(change, known)])
      if (what !== null) harms.push({ path, what });
  }
  const missing = countHarm(known);
  if (missing !== null) (isExplained(known) ? shown : harms).push({ path: "", what: missing });
  return { harms, shown };
}

/** Whether the task asks to change a file. Naming a code file does not allow changes of the checks in the file. */
function isAllowed({ path, before }: FileChange, { words, removed, reds }: Known): boolean {
  if (words.isTestOf(path, removed)) return true;
  const isCode = fileRole(path) === "code" && containsChecks(path, before ?? "", reds);
  return words.names(path) && (!isCode || words.changes("test"));
}

/**
 * Whether the task explains why fewer checks run: it names a changed file with checks, or removes the file under test.
 */
const isExplained = ({ changes, words, removed }: Known): boolean =>
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
    return fileRole(path) === "test" ? harm("is no longer executable") : show("is no longer executable");
  }
  const placed = replacementEdit(change, known);
  // A new nested repository cannot be read, but its name alone can do harm.
  if (before === null && placed.harms.length > 0) return placed;
  const all = [judgeConfig(change, known), placed, remapped(change, known), proving(change, known)];
  if (change.unread === true) {
    const isGuarded = fileRole(path) !== "code" || all.some((found) => found.harms.length + found.shown.length > 0);
    if (!isGuarded) return show();
    return before && !after ? harm("is no longer readable") : show("could not be read");
  }
  return { harms: all.flatMap(({ harms }) => harms), shown: all.flatMap(({ shown }) => shown) };
}

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
    return { harms: [...lost, ...(known.words.changes("test") ? [] : edits)], shown };
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
  changes.some((other) => other.before === null && other.after === before && nameOf(other.path) === nameOf(path));

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Matches code that imports a test library. */
const checksOthers =
  /(?:\bfrom|\brequire\(|\bimport)\s{0,4}["'](?:vitest|@jest\/globals|chai|node:test)["']|^\s{0,20}(?:import |from )(?:pytest|unittest)\b|^\s{0,20}(?:import )?"testing"$/m;

/** Matches folders and names in which no tool searches for checks. */
const aside =
  /(?:^|\/)(?:[._](?!_tests__)[^/]*|testdata|fixtures?|node_modules|vendor|disabled|skipped|attic|archived?|old|backup)\/|(?:_(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|netbsd|openbsd|plan9|solaris|wasip1|windows|386|arm|arm64|loong64|mips\w{0,4}|ppc64\w{0,2}|riscv64|s390x|wasm)|(?:^|\/)_[^/]*)_test\.go$/;

/**
 * Checks that probably run in other changed files now: the command searches there, or at least as many checks ran as
 * before.
 */
function checksElsewhere(path: string, { changes, behind, runs }: Known): readonly Check[] {
  const lies = (file: string): boolean =>
    [...behind.words].some((word) => word !== "" && (file === word || file.startsWith(`${word}/`)));
  const [was, is] = [runs?.before?.ran ?? null, runs?.after?.ran ?? null];
  const isCounted = was !== null && is !== null && is >= was;
  const isRun = (other: string): boolean =>
    !aside.test(other) && (isCounted || (topOf(other) === topOf(path) && (lies(other) || !lies(path))));
  return changes
    .filter((other) => other.path !== path && fileRole(other.path) === fileRole(path) && isRun(other.path))
    .flatMap((other) => findChecks(other.path, other.after ?? "")?.checks ?? [])
    .filter((check) => check.runs);
}

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

/** New ways to bypass the checks: an early exit with success, or a change of the checks at run time. */
function exiting({ path, before, after }: FileChange, known: Known): string | null {
  const { behind, reds } = known;
  if (after === null) return null;
  const isRead = isShell.test(path) && grown(checkTexts(known), known, sources).some((text) => sources(text, path));
  if (isRead && endsReader(after) && !endsReader(before ?? "")) return "ends the check that reads it";
  const shadows = isRead ? shadowedBy(after, before ?? "", known) : [];
  if (shadows.length > 0) return `replaces what a check uses: ${shadows.join(", ")}`;
  const unlinked =
    path.endsWith(".rs") && before !== null && reds.length > 0 ? unlinkedBy(path, before, after, known) : [];
  if (unlinked.length > 0) return `leaves out the checks of ${unlinked.join(", ")}`;
  const isTest =
    fileRole(path) !== "code" || behind.deciders.some(({ path: own, part }) => own === path && part === null);
  if (isTest) {
    if (earlyExits(path, after) > earlyExits(path, before ?? "")) return "ends the run early, with success";
    if (selectsTests(path, after) && !selectsTests(path, before ?? "")) return "sets which tests run";
    const old = replacedBy(path, before ?? "");
    const fresh = replacedBy(path, after).filter((name) => !old.includes(name));
    return uses(known.redTexts, fresh) ? `replaces what is tested: ${fresh.join(", ")}` : null;
  }
  if (patchesChecks(path, after) && !patchesChecks(path, before ?? ""))
    return "changes the test library, or what its assertions rely on";
  const asked = wordsIn(known.task);
  const old = replacedStandard(path, before ?? "");
  const fresh = replacedStandard(path, after).filter((name) => !old.includes(name) && !asked.has(name));
  const texts = checkTexts(known);
  if (texts.some((text) => fresh.some((name) => wordsIn(text).has(name))))
    return `replaces what a check uses: ${fresh.join(", ")}`;
  const loaded = loadedTexts(known);
  const isLoaded = loaded.some((text) => imports(text, path));
  if (isLoaded && swallows(path, after) && !swallows(path, before ?? ""))
    return "swallows failures, or steers the checks";
  // A check about exits may call a function that exits.
  const called = new Set(texts.flatMap((text) => (/exit/i.test(text) ? [] : [...wordsIn(text)])));
  if (!exitsWhenLoaded(path, after, called) || exitsWhenLoaded(path, before ?? "", called)) return null;
  const isPackage = /\.(?:go|rs)$/.test(path) && reds.length > 0;
  return isLoaded || isPackage ? "ends the run as soon as it is loaded" : null;
}

const isShell = /\.(?:ba)?sh$/;
const commands = /^(?:test|exit|return|trap|set|diff|cmp|grep|false)$/;

/** New functions and aliases of a script that replace a function or command of the check that reads it. */
function shadowedBy(after: string, before: string, known: Known): readonly string[] {
  const definedIn = (text: string): string[] =>
    Array.from(
      text.matchAll(/(?:^\s{0,20}|\beval ["'])(?:(?:function )?(\w+)\s?\(\)|alias (\w+)=)/gm),
      ([, name, alias]) => String(name ?? alias),
    );
  const others = checkTexts(known).filter((text) => text !== before);
  return definedIn(after).filter(
    (name) =>
      !definedIn(before).includes(name) &&
      others.some((text) => definedIn(text).includes(name) || (commands.test(name) && wordsIn(text).has(name))),
  );
}

/** Modules of Rust with checks that a file does not declare any more, or only on a condition. */
function unlinkedBy(path: string, before: string, after: string, { changes, read }: Known): readonly string[] {
  const declared = (text: string): string[] =>
    Array.from(
      text.matchAll(/^(?<!#\[cfg\([^\n]{0,80}\n)\s{0,20}(?:pub(?:\([^)\n]{1,20}\))? )?mod (\w+);/gm),
      ([, name]) => String(name),
    );
  const now = declared(after);
  const folder = path.replace(/[^/]*$/, "");
  return declared(before).filter((name) => {
    const file = `${folder}${name}.rs`;
    const changed = changes.find((change) => change.path === file);
    const text = (changed === undefined ? read(file) : changed.after) ?? "";
    return !now.includes(name) && /#\[(?:\w+::)?test\b/.test(text);
  });
}

/** Whether a shell script reads another one into its own shell. */
const sources = (text: string, path: string): boolean =>
  (text.match(/(?:^|[\n;&|{])\s{0,20}(?:\.|source)\s{1,4}\S{1,200}/g) ?? []).some((call) =>
    call.endsWith(nameOf(path)),
  );

/** Texts of red checks, and of the scripts that the command runs, before the work. */
const checkTexts = ({ redTexts, behind, read }: Known): readonly string[] => [
  ...redTexts.map(([, text]) => text),
  ...behind.deciders.flatMap(({ path, part }) => (part === null ? (read(path) ?? []) : [])),
];

/** Whether a text imports a file, by its name and, in a relative import, its folder. */
const imports = (text: string, path: string): boolean =>
  (text.match(/^.*\b(?:import|from|require)\b.*$/gm) ?? []).some((line) => {
    const [, relative] = /["']\.[./]*\/([^"']+)["']/.exec(line) ?? [];
    const isThere = relative === undefined || `/${path}`.includes(`/${relative.replace(/\.\w+$/, "")}`);
    return isThere && wordsIn(line).has(stemOf(path));
  });

/** Current texts of checks, and of the files that they load: relative imports of red checks, and changed files. */
function loadedTexts(known: Known): readonly string[] {
  const { redTexts, read } = known;
  const own = redTexts.flatMap(([path, text]) => [text, ...importedBy(path, text).map((each) => read(each) ?? "")]);
  return grown([...own, ...checkTexts(known)], known, imports);
}

/** Texts, and those of the changed files that they read, and so on. */
function grown(
  first: readonly string[],
  { changes }: Known,
  reads: (text: string, path: string) => boolean,
): readonly string[] {
  const texts = new Set(first);
  // The set grows during the loop.
  for (const text of texts) {
    for (const { path, after } of changes) if (after !== null && reads(text, path)) texts.add(after);
  }
  return [...texts];
}
