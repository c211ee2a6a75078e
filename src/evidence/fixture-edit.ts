import { redsOf } from "./compare-checks.ts";
import { findChecks } from "./find-checks.ts";
import type { GuardCase, Red } from "./guard.ts";
import { type Found, harm, type Known, show } from "./guard.ts";
import { importsIn } from "./is-related.ts";
import { baseOf, fileRole, folderOf, stemOf } from "./test-files.ts";

type Place = Pick<GuardCase, "changes" | "read" | "files">;

/**
 * Find the files of red checks. A tool may print a path relative to its own folder. If it prints no path, search the
 * usual test files of the task's code for the check.
 */
export function locate(reds: readonly Red[], { changes, read, files }: Place): readonly Red[] {
  const paths = changes.map(({ path }) => path);
  const folders = [...new Set(paths.flatMap(foldersOf))];
  const code = [...new Set([...files, ...paths])].filter((path) => fileRole(path) === "code");
  const isThere = (path: string): boolean => paths.includes(path) || read(path) !== null;
  return reds.flatMap(({ name, file }): readonly Red[] => {
    if (file !== null) {
      const told = file.replace(/^\.\//, "");
      const below = isThere(told) ? [told] : folders.map((folder) => `${folder}/${told}`).filter(isThere);
      return (below.length > 0 ? below : [told]).map((path) => ({ name, file: path }));
    }
    const leaf = name.split(/ > | › |::/).at(-1) as string;
    const own = leaf === "" ? [] : code.flatMap((path) => testsOf(path, folders));
    const found = [...new Set(own)].filter((path) =>
      findChecks(path, read(path) ?? "")?.checks.some((check) => check.leaf === leaf),
    );
    return found.length === 0 ? [{ name, file }] : found.map((path) => ({ name, file: path }));
  });
}

const foldersOf = (path: string): string[] =>
  path
    .split("/")
    .map((_, at, parts) => parts.slice(0, at).join("/"))
    .filter((folder) => folder !== "");

function testsOf(path: string, folders: readonly string[]): readonly string[] {
  const [stem, end] = [stemOf(path), path.slice(path.lastIndexOf(".") + 1)];
  const names = [`${stem}.test.${end}`, `${stem}_test.${end}`, `test_${stem}.${end}`, `${stem}.${end}`, `${stem}.bats`];
  return folders.flatMap((folder) => names.map((name) => `${folder}/${name}`));
}

/**
 * Judge an edited fixture. It belongs to a red check if the check or its helper names the fixture, or reads the
 * fixture's whole folder.
 */
export function fixtureEdit(path: string, { reds, behind, read }: Known): Found {
  const isUsed = ({ name, file }: Red): boolean => {
    const text = file === null ? null : read(file);
    // A tool may name the helper in which the check has failed.
    return file === null || text === null || file === path || usesFixture(textOf(name, file, text, read), path, file);
  };
  return reds.some(isUsed) || behind.words.has(path) ? harm("was edited, and a red check uses it") : show("was edited");
}

const listing = /read_?dir|list_?dir|scandir|iterdir|glob|walk|\/\*(?=[\s;)"'.]|$)/im;

function usesFixture(text: string, path: string, file: string): boolean {
  const named = path.replace(/(?:\/(?:__init__\.py|index\.[cm]?[jt]sx?|mod\.rs|(?:src\/)?lib\.rs))$/, "");
  const name = baseOf(named);
  const folder = baseOf(folderOf(named));
  const isNear = text.includes(folder) || path.startsWith(`${folderOf(file)}/`);
  const words = new Set(text.toLowerCase().match(/[a-z]+/g));
  // Ignore numbers in names: numbered fixtures are read in a loop.
  const own = stemOf(named)
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
  const isNamed = text.includes(name) || own.every((word) => words.has(word));
  return isNear ? isNamed || listing.test(text) : isNamed && own.length > 0;
}

/** The text of a red check, of the code outside of checks in its file, and of imported helpers. */
function textOf(name: string, path: string, text: string, read: GuardCase["read"]): string {
  const found = findChecks(path, text);
  const own = redsOf(path, found?.checks ?? [], [{ name, file: path }]);
  const parts = found === null || own.size === 0 ? [text] : [...[...own].map(({ body }) => body), ...found.rest];
  const setups = path.endsWith(".py")
    ? ["conftest.py", ...foldersOf(path).map((folder) => `${folder}/conftest.py`)]
    : [];
  const helpers = [...importedBy(path, text), ...setups].filter((each) => fileRole(each) !== "code");
  return [...parts, ...helpers.map((each) => read(each) ?? "")].join("\n");
}

/** Candidate paths of a file's imports. */
export const importedBy = (path: string, text: string): readonly string[] =>
  importsIn(path, text).flatMap((each) => ["", ".js", ".ts", ".mjs", ".cjs", ".py"].map((end) => `${each}${end}`));
