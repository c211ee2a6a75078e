import { standardModule } from "./early-exit.ts";
import { type FileChange, type Found, harm, type Known, show } from "./guard.ts";
import { importsIn } from "./is-related.ts";
import { reserved } from "./runners.ts";
import { fileRole, folderOf } from "./test-files.ts";

/** Edits of installed programs, and new files that replace a program, a module, a make target or a test. */
export function replacementEdit({ path, before, after }: FileChange, known: Known): Found {
  const { behind, idle, reds, read, redTexts, removed } = known;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const stem = name.replace(/\.[^.]*$/, "");
  const parts = path.split("/");
  if (parts.some((part) => /^(?:node_modules|vendor|site-packages)$/.test(part))) {
    const isRunner = parts.some((part) => part === ".bin" || reserved.test(part));
    return before !== null || isRunner ? harm("is an installed program, and was changed") : show();
  }
  if (before !== null || after === null) return show();
  const isIdle = reds.length > 0 && (idle.has(path) || parts.some((_, at) => idle.has(parts.slice(0, at).join("/"))));
  if (isIdle) return harm("keeps `make` from running its target of the same name");
  const isShim = name === stem && behind.programs.has(name);
  const isShadow = /\.(?:py|[cm]?js|ts)$/.test(name) && reserved.test(stem) && !path.startsWith("src/");
  const isPlugin = /-info\/entry_points\.txt$/.test(path) && /\bpytest11\b/.test(after);
  if (isShim || isShadow || isPlugin || isStandardNow(path, redTexts) || isBeside(path, after, known))
    return harm("replaces a program or module of the same name");
  const isTwin = (end: string): boolean => {
    const twin = `${path.slice(0, path.lastIndexOf("."))}.${end}`;
    return twin !== path && read(twin) !== null && !removed.includes(twin);
  };
  const isSecond = fileRole(path) === "test" && ["js", "ts", "mjs", "cjs", "tsx", "jsx"].some(isTwin);
  const isPackage =
    name === "__init__.py" && fileRole(`${folderOf(path)}.py`) === "test" && read(`${folderOf(path)}.py`) !== null;
  return isSecond || isPackage ? harm("replaces a test of the same name") : show();
}

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

/** Judge aliases in a manifest: edits that give a red check another file, although the old file still exists. */
export function remapped({ path, before, after }: FileChange, { redTexts, removed, words }: Known): Found {
  if (!path.endsWith("package.json")) return show();
  const [was, now] = [aliasesOf(before), aliasesOf(after)];
  const changed = Object.keys(was).filter((name) => {
    const target = String(was[name]).replace(/^\.\//, "");
    const isUsed = redTexts.some(([, text]) => text.includes(`"${name}"`) || text.includes(`'${name}'`));
    return was[name] !== now[name] && isUsed && !removed.includes(target) && !words.names(target);
  });
  return harm(...changed.map((name) => `imports.${name} was edited`));
}

function aliasesOf(text: string | null): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text ?? "{}") as { imports?: Record<string, unknown> }).imports ?? {};
  } catch {
    return {};
  }
}
