import { parseJson } from "../model/parse-json.ts";
import { importedBy } from "./fixture-edit.ts";
import { checkTexts, type FileChange, type Found, harm, type Known, show, uses } from "./guard.ts";
import { baseOf, folderOf } from "./test-files.ts";

const isEnv = /(?:^|\/)\.env(?:\.[\w.-]{1,40})?$/;
/** Matches data, but no manifests and configurations. */
export const isData =
  /(?:^|\/)(?!package|[^/]*(?:config|lock|manifest))[^/]{1,80}\.(?:jsonl?|ndjson|csv|tsv|txt|ya?ml|xml)$/;

/** Judge variables of env files that red checks read, and data that only the checks read. */
export function dataEdit({ path, before, after }: FileChange, known: Known): Found {
  if (isEnv.test(path)) {
    const [was, now] = [variablesOf(before), variablesOf(after)];
    const changed = [...new Set([...was.keys(), ...now.keys()])].filter((name) => was.get(name) !== now.get(name));
    const read = changed.filter((name) => uses(known.redTexts, [name]));
    return harm(...read.map((name) => `${name} was edited, and a red check reads it`));
  }
  const isOwn =
    before !== null &&
    known.files.length > 0 &&
    isData.test(path) &&
    !keeps(before, after) &&
    !readsInCode(path, known);
  return isOwn && (isInput(path, known) || checkTexts(known).some((text) => reads(text, path)))
    ? harm("was edited, and only the checks read it")
    : show();
}

/** Whether the command gives a file to a program; what it searches may be the work. */
const isInput = (path: string, { behind }: Known): boolean =>
  behind.words.has(path) && !["grep", "egrep", "rg"].some((program) => behind.programs.has(program));

/** Whether data only got more entries, keys or lines. */
function keeps(before: string, after: string | null): boolean {
  const now = new Set(entriesOf(after ?? ""));
  return entriesOf(before).every((entry) => now.has(entry));
}

function entriesOf(text: string): readonly string[] {
  const value = parseJson(text);
  if (Array.isArray(value)) return value.map((each) => JSON.stringify(each));
  if (typeof value === "object" && value !== null) return Object.entries(value).map((entry) => JSON.stringify(entry));
  return text.split("\n");
}

function variablesOf(text: string | null): ReadonlyMap<string, string> {
  const lines = (text ?? "").matchAll(/^\s{0,20}(?:export )?(\w{1,80})\s{0,4}=(.*)$/gm);
  return new Map(Array.from(lines, ([, name = "", value = ""]) => [name, value.trim()]));
}

/** Whether a text has the name of a file, or lists its folder. */
const reads = (text: string, path: string): boolean => {
  const name = baseOf(path);
  const folder = folderOf(path);
  const isListed = folder !== "" && /read_?dir|glob|listdir/i.test(text) && isQuoted(text, folder);
  return isQuoted(text, name) || isListed;
};

/** Whether a text has a string that ends with the name of a file. */
export const isQuoted = (text: string, name: string): boolean =>
  ["'", '"', "`"].some((quote) => [`${quote}${name}`, `/${name}`].some((start) => text.includes(`${start}${quote}`)));

/** Whether code that a red check imports, or that was changed, names a file or its folder: it is not only for checks. */
function readsInCode(path: string, { redTexts, changes, read }: Known): boolean {
  const name = baseOf(path);
  const folder = baseOf(folderOf(path));
  const tests = new Set(redTexts.map(([test]) => test));
  const texts = [
    ...redTexts.flatMap(([test, text]) => importedBy(test, text).map((each) => read(each) ?? "")),
    ...changes.flatMap((change) => (change.path === path || tests.has(change.path) ? [] : (change.after ?? ""))),
  ];
  return texts.some((text) => text.includes(name) || (folder !== "" && text.includes(`${folder}/`)));
}
