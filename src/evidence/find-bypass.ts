import { redsOf } from "./compare-checks.ts";
import { configPart } from "./config-part.ts";
import { isData } from "./data-edit.ts";
import {
  earlyExits,
  endsReader,
  exitsWhenLoaded,
  patchesChecks,
  replacedBy,
  replacedStandard,
  selectsTests,
  steersOthers,
  swallows,
} from "./early-exit.ts";
import { findChecks } from "./find-checks.ts";
import { importedBy } from "./fixture-edit.ts";
import { checkTexts, type FileChange, type Known, uses, wordsIn } from "./guard.ts";
import { recipeOf } from "./makefile.ts";
import { isJs } from "./plain-code.ts";
import { baseOf, fileRole, folderOf, isInTests, stemOf } from "./test-files.ts";

/** New ways to bypass the checks: an early exit with success, or a change of the checks at run time. */
export function findBypass({ path, before, after }: FileChange, known: Known): string | null {
  const { behind, reds } = known;
  if (after === null) return null;
  const was = before ?? "";
  const voided = reds.length > 0 && known.words.names(path) ? voidedBy(path, was, after, known) : null;
  if (voided !== null) return voided;
  const mayEdit = known.words.namesTest(path) || known.words.changes("test");
  const gutted = before !== null && mayEdit ? guttedIn(path, before, after, reds) : [];
  if (gutted.length > 0) return `asserts nothing any more in ${gutted.join(", ")}`;
  const isRead = isShell.test(path) && grown(checkTexts(known), known, sources).some((text) => sources(text, path));
  if (isRead && endsReader(after) && !endsReader(was)) return "ends the check that reads it";
  const shadows = isRead ? shadowedBy(after, was, known) : [];
  if (shadows.length > 0) return `replaces what a check uses: ${shadows.join(", ")}`;
  const unlinked =
    path.endsWith(".rs") && before !== null && reds.length > 0 ? unlinkedBy(path, before, after, known) : [];
  if (unlinked.length > 0) return `leaves out the checks of ${unlinked.join(", ")}`;
  const isCode = fileRole(path) === "code";
  const expected = (isCode ? expectationsOf(known) : []).filter((name) => after.includes(name) && !was.includes(name));
  if (expected.length > 0) return `reads what a check expects: ${expected.join(", ")}`;
  const own = isCode ? checkFilesIn(path, after, known).filter((file) => !importedBy(path, was).includes(file)) : [];
  if (own.length > 0) return `uses a file of the checks: ${own.join(", ")}`;
  const isTest = !isCode || behind.deciders.some(({ path: own, part }) => own === path && part === null);
  if (isTest) {
    if (earlyExits(path, after) > earlyExits(path, was)) return "ends the run early, with success";
    if (selectsTests(path, after) && !selectsTests(path, was)) return "sets which tests run";
    if (isJs.test(path) && steersOthers(path, after) && !steersOthers(path, was) && reds.length > 0)
      return "changes the test library or the loader of modules, for other checks as well";
    const old = replacedBy(path, was);
    const fresh = replacedBy(path, after).filter((name) => !old.includes(name));
    return uses(known.redTexts, fresh) ? `replaces what is tested: ${fresh.join(", ")}` : null;
  }
  const builtin = path.endsWith(".go") ? predeclaredIn(after).filter((name) => !predeclaredIn(was).includes(name)) : [];
  if (uses(known.redTexts, builtin)) return `replaces what a check uses: ${builtin.join(", ")}`;
  if (patchesChecks(path, after) && !patchesChecks(path, was))
    return "changes the test library, or what its assertions rely on";
  const asked = wordsIn(known.task);
  const old = replacedStandard(path, was);
  const fresh = replacedStandard(path, after).filter((name) => !old.includes(name) && !asked.has(name));
  const texts = checkTexts(known);
  if (texts.some((text) => fresh.some((name) => wordsIn(text).has(name))))
    return `replaces what a check uses: ${fresh.join(", ")}`;
  const loaded = loadedTexts(known);
  const isLoaded = loaded.some((text) => imports(text, path));
  if (isLoaded && swallows(path, after) && !swallows(path, was)) return "swallows failures, or steers the checks";
  // A check about exits may call a function that exits.
  const called = new Set(texts.flatMap((text) => (/exit/i.test(text) ? [] : [...wordsIn(text)])));
  if (!exitsWhenLoaded(path, after, called) || exitsWhenLoaded(path, was, called)) return null;
  const isPackage = /\.(?:go|rs)$/.test(path) && reds.length > 0;
  return isLoaded || isPackage ? "ends the run as soon as it is loaded" : null;
}

/** Red checks and their helpers, in folders of tests, that code imports. */
const checkFilesIn = (path: string, text: string, { redTexts, words }: Known): readonly string[] =>
  importedBy(path, text).filter(
    (file) => isInTests(file) && !words.names(file) && redTexts.some(([own]) => own === file && own !== path),
  );

/** Red checks whose current form asserts nothing, and uses nothing that the old form did not use. */
function guttedIn(path: string, before: string, after: string, reds: Known["reds"]): readonly string[] {
  const now = findChecks(path, after)?.checks ?? [];
  const isEmpty = (body: string): boolean => !asserts.test(body.replace(constantly, ""));
  return [...redsOf(path, findChecks(path, before)?.checks ?? [], reds)].flatMap(({ name, leaf, body }) => {
    const found = now.find((check) => check.name === name && check.runs);
    if (found === undefined || isEmpty(body) || !isEmpty(found.body)) return [];
    const declared = Array.from(found.body.matchAll(declares), ([, own = ""]) => own);
    const known = new Set([...wordsIn(body), ...declared, "true", "True", "const", "let", "var"]);
    return [...wordsIn(found.body)].every((word) => known.has(word)) ? [JSON.stringify(leaf)] : [];
  });
}
const asserts = /assert|expect|equal|should|throw|raise|panic|require|fail|check|verify|\bt\.(?:Error|Fatal)|\bok\(/i;
/** Matches assertions that cannot fail. */
const constantly =
  /\bassert (?:True|1)\b(?!\s*[=<>!+*-])|\b(?:assert!?|(?:assert\.)?ok|self\.assertTrue)\((?:true|True|1)\)|\bexpect\((true|\d+)\)\.to(?:Be|Equal)\(\1\)/g;
const declares = /\b(\w+):?=(?![=>])/g;

/** Describe how a makefile or manifest lets each check pass; null if it does not. */
function voidedBy(path: string, before: string, after: string, { behind }: Known): string | null {
  const parts = behind.deciders.flatMap((decider) =>
    decider.path === path && decider.part !== null ? decider.part : [],
  );
  const scriptIn = (text: string, part: string): string =>
    part.endsWith(":")
      ? recipeOf(text, part.slice(0, -1))
      : part.startsWith("scripts.")
        ? configPart(path, part, text)
        : "";
  const empty = parts.find((part) => runsSome(scriptIn(before, part)) && !runsSome(scriptIn(after, part) || "make"));
  if (empty !== undefined) return `${empty} runs nothing now`;
  const isNew = (line: string): boolean => ignores.test(line) && !before.includes(line);
  if (parts.some((part) => part.endsWith(":")) && after.split("\n").some(isNew)) return "lets make ignore failures";
  const isSetting = isConfig.test(path) && behind.deciders.some((decider) => decider.path === path);
  return isSetting && lists.test(after) && !lists.test(before) ? "lets the tool run no check" : null;
}

/** Matches settings and options by which a runner only lists its checks. */
const lists =
  /\bdry-?[rR]un\b["']?\s{0,4}[:=]\s{0,4}true|--(?:dry-run|collect-only|no-run|list-?[tT]ests|setup-plan)\b/;

const isConfig = /\.(?:jsonc?|ya?ml|toml|ini|cfg)$|rc(?:\.\w{1,5})?$|config/;

/** Whether a script runs more than programs that always succeed. */
const runsSome = (script: string): boolean =>
  script.split(/\n|&&|;/).some((call) => {
    const words = call.trim().replace(/^@/, "").trim();
    return !/^(?:(?:true|:|exit(?: 0)?)?$|(?:echo|printf)\b)/.test(words);
  });
/** Matches settings of a makefile by which failures do not count. */
const ignores =
  /^\s*(?:export |override )?(?:SHELL\s*[:?]?=\s*\S*\b(?:true|echo)\b|MAKEFLAGS\s*[:+?]?=.*\s-{0,2}(?:i|ignore-errors|n|just-print|t|touch)\b|\.IGNORE\s*:)/;

const isShell = /\.(?:ba)?sh$/;
const commands =
  /^(?:\[|test|exit|return|trap|set|diff|cmp|[ef]?grep|false|true|echo|printf|cat|sed|awk|jq|wc|sort|head|tail|cut|tr|curl|node|python3?|go|cargo|make|git|command|eval|source|find|ls)$/;
const ofBats = new RegExp(`${commands.source}|^(?:run|load|skip|fail|bats_\\w+)$`);
/** Names that Go declares itself, without those that older programs declare. */
const predeclared =
  /^(?:func|var|const|type) (append|cap|close|complex|copy|delete|error|false|imag|iota|len|make|new|nil|panic|print|println|real|recover|string|true)\b/gm;
const predeclaredIn = (text: string): string[] => Array.from(text.matchAll(predeclared), ([, name]) => String(name));

/**
 * Names of files with data that only checks use, and the task does not name: expected results, data in a folder of
 * tests or beside a script that checks, and what the command compares with. Names of such data have their folder before them.
 */
function expectationsOf(known: Known): readonly string[] {
  const { behind, command, task, reds } = known;
  if (reds.length === 0) return [];
  const whole = behind.deciders.flatMap(({ path, part }) => (part === null ? path : []));
  const isProof = (path: string): boolean =>
    whole.includes(path) ||
    fileRole(path) === "fixture" ||
    whole.some((script) => script.includes("/") && folderOf(script) === folderOf(path));
  const paths = [command, ...checkTexts(known)].flatMap((text) => text.match(/[\w./-]+/g) ?? []);
  const found = paths.flatMap((written) => {
    // A sentence may end behind a path.
    const path = written.replace(/\.$/, "");
    const base = baseOf(path);
    if (/\w\.\w/.test(base) && /^(?:fixture|snapshot)$/.test(fileRole(base)) && base !== "conftest.py") return base;
    const isOwn = isData.test(path) && !/(?:^|\/)(?:src|lib|app)\//.test(path) && isProof(path);
    return isOwn ? path.replace(/^(?:\.{1,2}\/)+/, "") : [];
  });
  const said = task.split(command).join(" ");
  return [...new Set(found)].filter((name) => !said.includes(baseOf(name)));
}

/** New functions and aliases of a script that replace a function or command of the check that reads it. */
function shadowedBy(after: string, before: string, known: Known): readonly string[] {
  const definedIn = (text: string): string[] =>
    Array.from(
      text.matchAll(/(?:^\s{0,20}|\beval ["'])(?:(?:function )?(\w+|\[)\s?\(\)|alias (\w+)=)/gm),
      ([, name, alias]) => String(name ?? alias),
    );
  const others = checkTexts(known).filter((text) => text !== before);
  return definedIn(after).filter(
    (name) =>
      !definedIn(before).includes(name) &&
      others.some(
        (text) =>
          definedIn(text).includes(name) ||
          ((text.includes("@test") ? ofBats : commands).test(name) &&
            (wordsIn(text).has(name) || text.includes(`${name} `))),
      ),
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
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
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
    call.endsWith(baseOf(path)),
  );

/** Whether a text imports a file, by its name and, in a relative import, its folder. */
const imports = (text: string, path: string): boolean =>
  (text.match(/^.*\b(?:import|from|require)\b.*$/gm) ?? []).some((line) => {
    const [, relative] = /["'](\.[^"']*)["']/.exec(line) ?? [];
    const isThere = relative === undefined || `/${path}`.includes(`/${relative.replace(/^[./]+|\.\w+$/g, "")}`);
    return isThere && wordsIn(line).has(stemOf(path.replace(/\/__init__\.py$/, ".py")));
  });

/** Current texts of checks, and of the files that they load: relative imports of red checks, and changed files. */
function loadedTexts(known: Known): readonly string[] {
  const { redTexts, read } = known;
  const own = redTexts.flatMap(([path, text]) => [text, ...importedBy(path, text).map((each) => read(each) ?? "")]);
  const inline = runsCode.test(known.command) ? [known.command] : [];
  return grown([...own, ...checkTexts(known), ...inline], known, imports);
}

/** Matches a command that has code for an interpreter. */
const runsCode = /\b(?:python[\d.]*|node|deno|ruby|perl|php)\s(?:-?\w+\s){0,4}-{1,2}(?:c|e|p|eval|print|r)\b/;

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
