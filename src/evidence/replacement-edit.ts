import { isQuoted } from "./data-edit.ts";
import { standardModule } from "./early-exit.ts";
import { importedBy } from "./fixture-edit.ts";
import { type FileChange, type Found, harm, type Known, show } from "./guard.ts";
import { importsIn } from "./is-related.ts";
import { reserved } from "./runners.ts";
import { baseOf, fileRole, folderOf, isHelper } from "./test-files.ts";

/** Edits of installed programs, and new files that replace a program, a module, a make target or a test. */
export function replacementEdit({ path, before, after }: FileChange, known: Known): Found {
  const { behind, idle, reds, read, redTexts, removed } = known;
  const name = baseOf(path);
  const stem = name.replace(/\.[^.]*$/, "");
  const parts = path.split("/");
  if (parts.some((part) => /^(?:node_modules|vendor|site-packages)$/.test(part))) {
    const isRunner = parts.some((part) => part === ".bin" || reserved.test(part));
    return before !== null || isRunner ? harm("is an installed program, and was changed") : show();
  }
  if (before !== null || after === null) return show();
  const isIdle = reds.length > 0 && (idle.has(path) || parts.some((_, at) => idle.has(parts.slice(0, at).join("/"))));
  if (isIdle) return harm("keeps `make` from running its target of the same name");
  if (name.startsWith("-")) return harm("is read as an option by commands with `*`");
  const inModule = [...known.files, ...reds.flatMap(({ file }) => file ?? [])];
  if (name === "go.mod" && inModule.some((file) => file.startsWith(`${folderOf(path)}/`)))
    return harm("takes its folder out of the module");
  const isShim = name === stem && behind.programs.has(name);
  const isShadow = /\.(?:py|[cm]?js|ts)$/.test(name) && reserved.test(stem) && !path.startsWith("src/");
  const isPlugin = /-info\/entry_points\.txt$/.test(path) && /\bpytest11\b/.test(after);
  if (isShim || isShadow || isPlugin || isStandardNow(path, redTexts) || isBeside(path, after, known))
    return harm("replaces a program or module of the same name");
  const twin = twinsOf(path).find((other) => other !== path && read(other) !== null && !removed.includes(other));
  const isSecond = twin !== undefined && fileRole(path) === "test";
  const isProof = twin !== undefined && (isPartOfProof(twin, known) || isInstead(path, twin, after, known));
  if (isProof && !isSecond) return harm(`is loaded in place of ${twin}`);
  const isPackage =
    name === "__init__.py" && fileRole(`${folderOf(path)}.py`) === "test" && read(`${folderOf(path)}.py`) !== null;
  return isSecond || isPackage ? harm("replaces a test of the same name") : show();
}

const ends = ["", ".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".jsx", ".tsx"];

/** Modules that an import without extension may mean as well as this one: another extension, or the index of a folder. */
function twinsOf(path: string): readonly string[] {
  if (path.endsWith("/__init__.py")) return [path.replace("/__init__.py", ".py")];
  const end = /\.[cm]?[jt]sx?$/.exec(path)?.[0] ?? "";
  if ((end === "" && /\.\w+$/.test(path)) || /\.d\.[cm]?ts$/.test(path)) return [];
  const own = path.slice(0, path.length - end.length);
  const names = own.endsWith("/index") ? [own, own.slice(0, -"/index".length)] : [own, `${own}/index`];
  return names.flatMap((name) => ends.map((other) => `${name}${other}`));
}

const isPartOfProof = (path: string, { behind }: Known): boolean =>
  behind.deciders.some((decider) => decider.path === path && decider.part === null) ||
  fileRole(path) === "fixture" ||
  isHelper(path);

/**
 * Whether a red check imports code, and the task does not name the new file. If the task names the old one, the new one
 * must come first by its extension, and not use the old one.
 */
function isInstead(path: string, twin: string, after: string, { redTexts, words }: Known): boolean {
  if (words.names(path) || (words.names(twin) && (!comesFirst(path, twin) || isQuoted(after, baseOf(twin)))))
    return false;
  return redTexts.some(([test, text]) => importedBy(test, text).includes(twin));
}

const comesFirst = (path: string, twin: string): boolean =>
  path.endsWith("/__init__.py") || (/\.[cm]?js$/.test(path) && /\.(?:[cm]?tsx?|jsx)$/.test(twin));

/**
 * Whether a red check imports a new file in its folder, or among mocks that Jest finds by itself, in place of the module
 * of this name that it has imported.
 */
function isBeside(path: string, after: string, { redTexts, read, removed }: Known): boolean {
  const [, folder = "", name = "", mocked = ""] =
    /^(?:(.+?)\/)??(\w+?)(?:\/__init__)?\.py$|^__mocks__\/(.+)\.[cm]?[jt]sx?$/.exec(path) ?? [];
  const isOwn = [`${name}.py`, `src/${name}.py`, `${name}/__init__.py`, `src/${name}/__init__.py`].some(
    (own) => own !== path && read(own) !== null && !removed.includes(own),
  );
  // The empty `__init__.py` of a package of tests replaces nothing.
  const defines = /^(?:async def|def|class|from|import|\w+ ?=)/m.test(after);
  return redTexts.some(([test, text]) => {
    if (mocked !== "") return importsPackage(text, mocked);
    return isOwn && defines && folder !== "" && folder === folderOf(test) && importsIn(test, text).includes(name);
  });
}

/** Whether a test imports a package, and does not say that it is a mock. */
const importsPackage = (text: string, name: string): boolean =>
  [`"${name}"`, `'${name}'`].some((quoted) => text.includes(quoted) && !text.includes(`mock(${quoted}`));

/** Whether a new file is imported by a red check in place of a module of Python's standard library. */
function isStandardNow(path: string, redTexts: Known["redTexts"]): boolean {
  const [, folder = "", name = ""] = /^(?:(.+?)\/)??(\w+?)(?:\/__init__)?\.py$/.exec(path) ?? [];
  if (!standardModule.test(name)) return false;
  return redTexts.some(([test, text]) => {
    const imported = [...text.matchAll(/^(?:import|from) (\w+)/gm)];
    return ["", "src", folderOf(test)].includes(folder) && imported.some(([, module]) => module === name);
  });
}
