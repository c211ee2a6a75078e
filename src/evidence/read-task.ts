import { covers } from "../model/paths.ts";
import { mayChange } from "./asked-path.ts";
import { type FileRole, fileRole, stemOf } from "./test-files.ts";

/** Changes that a task's text allows to the task's own proof. */
export interface TaskWords {
  names(path: string): boolean;
  /** Whether the task names a test itself, or a folder or pattern of tests: a folder of code does not mean its tests. */
  namesTest(path: string): boolean;
  /** Whether the text is about a revert or removal, and contains the file's name without extension. */
  takesBack(path: string): boolean;
  /** Whether a test belongs to a file that the task removes or renames. */
  isTestOf(path: string, removed: readonly string[]): boolean;
  /** Whether the task asks to change tests, snapshots or fixtures without naming files, as in "update its tests". */
  changes(role: FileRole): boolean;
  readonly changesScripts: boolean;
  /** Whether the task asks to hide findings of a tool. */
  readonly silences: boolean;
  /** Whether the task sets up or changes a tool. */
  setsUp(tool: string): boolean;
  /** The text of a test, with the task's renamings of code applied. */
  renamed(text: string): string;
}

/** Matches words before the name of something that must not change. */
const forbids =
  /\b(?:do not|don't|never|must not|mustn't|may not|cannot|without)\s(?:\w+\s){0,3}(?:chang|touch|edit|modif|alter|weaken|delet|remov|skip|ignor|disabl|updat|adapt|adjust|rewrit|regenerat|renam|mov)/i;
const stays = /\b(?:unchanged|untouched|read-only|alone|as (?:it|they) (?:is|are))\b/i;
const removal = /\b(?:remov|delet|drop|renam|mov|replac|merg|split|retir|get rid of)/i;
const takingBack = new RegExp(String.raw`${removal.source}|\b(?:revert|undo|roll(?:s|ed)? back|restor|put back)`, "i");
/** Nouns for files that a sentence may ask to change without naming a path. */
const kinds = {
  test: "(?:doc-?)?(?:tests?|specs?|assertions?)",
  data: "(?:snapshots?|fixtures?|goldens?|golden (?:files?|outputs?)|expected (?:files?|outputs?|results?)|test data)",
};
/** Verbs for a change, without "fix": to fix failing tests means to change other code. */
const changing =
  "(?:chang|updat|adapt|adjust|correct|edit|rewrit|extend|renam|replac|regenerat|refresh|record|mov|remov|delet|split|convert|migrat|port|modif|mark|skip|ignor|disabl|quarantin)\\w{0,5}";
const which =
  "(?:the|its|their|all|any|these|our|existing|old|unit|inline|affected|related|own|failing|slow|flaky|of|\\w+'s)";
/** Excludes sentences that say what the tests do, such as "… the tests pass". */
const stayAsIs = "(?!\\s(?:pass|should|must|are|is|stay|remain|will|still|run))";

/** Patterns of a request for a change: a direct request, and a request added to another ("and its tests"). */
const asking = (noun: string) => {
  const listed = `(?:${which}\\s){0,4}(?:(?:${kinds.test}|${kinds.data})(?:,|,?\\sand)\\s(?:${which}\\s){0,3})?${noun}`;
  return {
    direct: new RegExp(`\\b${changing}\\s${listed}\\b${stayAsIs}`, "i"),
    beside: new RegExp(`\\b(?:and|with|including)\\s${which}\\s${listed}\\b${stayAsIs}`, "i"),
  };
};
const asked: Readonly<Record<FileRole, ReturnType<typeof asking> | null>> = {
  test: asking(kinds.test),
  snapshot: asking(kinds.data),
  fixture: asking(kinds.data),
  code: null,
};
const scripts = asking("(?:test|npm|package) (?:scripts?|commands?)").direct;
const changes = new RegExp(`\\b${changing}\\b`, "i");
const asksFor = (sentence: string, role: FileRole): boolean => {
  const ways = asked[role];
  return ways !== null && (ways.direct.test(sentence) || (changes.test(sentence) && ways.beside.test(sentence)));
};
const removing = new RegExp(`\\b(?:remov|delet|drop|retir)\\w{0,4}\\s(?:${which}\\s){0,3}`, "gi");

const findings =
  /\b(?:warnings?|lint\w*|findings?|rules?|errors?|comments?|coverage|types?|noqa|nolint|\w+-disable)\b/i;
const hiding = /\b(?:silenc|suppress|ignor|disabl|exempt|allow|exclud|opt out)\w{0,6}\b/i;
const setup =
  /\b(?:set up|set-up|setup|configur|add|install|introduc|migrat|switch|use|bootstrap|scaffold|initiali|adopt)/i;
const rename =
  /\brenam\w*\s(?:the\s)?(?:function\s|method\s|class\s|file\s)?`?(?:[\w.-]+\/)*(\w+)(?:\(\)|\.[\w.]*\w)?`?\s(?:to|into|as)\s`?(?:[\w.-]+\/)*(\w+)/gi;

/**
 * Extract the files, tools and names that a task mentions. The task's Verify command is ignored: it names what runs,
 * not what may change.
 *
 * @param task Title and fields of the root task.
 * @param files Paths of its Files field: files, folders, or patterns with `*`.
 */
export function readTask(task: string, files: readonly string[], command: string): TaskWords {
  const lines = task.split("\n").filter((line) => !/^[-*\s]*(?:\*\*)?Verify\b/i.test(line));
  const text = lines
    .join("\n")
    .split(command || "\0")
    .join(" ")
    .replace(/`\w[\w-]* [^`\n]*`/g, " ");
  const sentences = text.split(/\n|[.;!?](?=\s|$)/).filter((sentence) => !stays.test(sentence));
  const allowed = sentences.map((sentence) => sentence.slice(0, forbids.exec(sentence)?.index ?? sentence.length));
  const tokens = allowed.flatMap((sentence) =>
    Array.from(sentence.matchAll(/[\w@*/.{}[\]-]+/g), ({ 0: token, index }) => ({
      name: token.replace(/^\.\//, "").replace(/\.$/, ""),
      isAsked: mayChange(sentence, index, token.length),
    })),
  );
  const toChange = tokens.flatMap(({ name, isAsked }) => (isAsked ? [name] : []));
  const renames = Array.from(text.matchAll(rename), ([, from = "", to = ""]) => [from, to] as const);
  const names = (path: string): boolean =>
    files.some((place) => lies(place, path)) ||
    tokens.some(({ name, isAsked }) => (isAsked || fileRole(path) === "code") && isNamed(name, path, files));
  return {
    names,
    namesTest: (path) =>
      [...files.filter((place) => lies(place, path)), ...toChange.filter((name) => isNamed(name, path, files))].some(
        (place) => `/${path}`.endsWith(`/${place}`) || isOfTests(place),
      ),
    takesBack: (path) => takingBack.test(text) && wordsIn(text).has(stemOf(path).toLowerCase()),
    isTestOf: (path, removed) =>
      fileRole(path) === "test" &&
      removed.some(
        (other) =>
          stemOf(other) === stemOf(path) &&
          fileRole(other) === "code" &&
          ((removal.test(text) && names(other)) || removesByName(text, stemOf(other))),
      ),
    changes: (role) => allowed.some((sentence) => asksFor(sentence, role)),
    changesScripts: allowed.some((sentence) => scripts.test(sentence)),
    silences: allowed.some((sentence) => hiding.test(sentence) && findings.test(sentence)),
    setsUp: (tool) => allowed.some((sentence) => setup.test(sentence) && wordsIn(sentence).has(tool)),
    renamed: (source) => renames.reduce((renamed, [from, to]) => withWord(renamed, from, to), source),
  };
}

/** Whether a text asks to remove a thing by its name: "remove the csv importer" for `csv-importer`. */
function removesByName(text: string, stem: string): boolean {
  const parts = Array.from(stem.matchAll(/[A-Za-z0-9]+/g), ([part]) => part.toLowerCase());
  const things = Array.from(text.matchAll(removing), ({ index, 0: verb }) =>
    text.slice(index + verb.length).toLowerCase(),
  );
  return stem.length > 2 && things.some((thing) => isNamedFirst(thing, parts));
}

/** Whether a text begins with a name that is not part of a longer name and is not followed by "from", "of" or "in". */
function isNamedFirst(text: string, parts: readonly string[]): boolean {
  let rest = text.replace(/^[\x60"']/, "");
  for (const part of parts) {
    const from = rest.replace(/^[\s_-]/, "");
    if (!from.startsWith(part)) return false;
    rest = from.slice(part.length);
  }
  return !/^[\x60"']?(?:\w|\.\w|\s(?:from|of|in)\b)/.test(rest);
}

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\w-]+/g));

const withWord = (text: string, from: string, to: string): string =>
  text.replace(/[A-Za-z_]\w*/g, (word) => (word === from ? to : word));

/**
 * Whether an entry of the Files field covers a path. The text after the last `*` of the entry must be the end of the
 * path. An entry that consists only of dots, slashes and stars covers nothing.
 */
function lies(place: string, path: string): boolean {
  const star = place.lastIndexOf("*");
  if (star === -1) return !/^[./]*$/.test(place) && covers(place, path);
  const tail = place.slice(star + 1);
  return !/^[./*]*$/.test(place) && covers(place, path) && path.endsWith(tail);
}

/** Whether a folder or pattern is one of tests, by its own name or the role of its files. */
const isOfTests = (place: string): boolean =>
  /tests?|spec|e2e/i.test(place.replace(/\/$/, "").replace(/^.*\//, "")) ||
  fileRole(`${folderIn(place)}/x.js`) !== "code";

/** The folder of a place, without the part with a pattern. */
function folderIn(place: string): string {
  const [fixed = ""] = place.split("*", 1);
  return fixed === place ? place.replace(/\/$/, "") : fixed.slice(0, Math.max(0, fixed.lastIndexOf("/")));
}

function isNamed(token: string, path: string, files: readonly string[]): boolean {
  if (token === path) return true;
  if (token.includes("/")) return /\/$|\*/.test(token) && lies(token, path);
  const isName = token.includes(".") && path.endsWith(`/${token}`);
  // If the Files field has a file of this name, a bare name means that file.
  return isName && !files.some((file) => file === token || file.endsWith(`/${token}`));
}
