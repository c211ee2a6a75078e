import { parseJson } from "../model/parse-json.ts";
import { type FileChange, type Found, harm, type Known, show } from "./guard.ts";
import { baseOf, folderOf } from "./test-files.ts";

/**
 * Judge entries of a manifest that say which file or package an import means: edits that give a red check another one,
 * although the old one still exists, and new manifests with such entries in the folders of red checks.
 */
export function remapped({ path, before, after }: FileChange, { changes, redTexts, removed, words }: Known): Found {
  if (!isManifest.test(path) || after === null) return show();
  if (before === null) {
    const isAbove = redTexts.some(([test]) => folderOf(path) !== "" && test.startsWith(`${folderOf(path)}/`));
    const has = Object.keys(manifestOf(after)).filter((key) => /^(?:imports|exports|main)$/.test(key));
    return isAbove && has.length > 0 ? harm(`is new, and has ${has.join(" and ")}`) : show();
  }
  const [was, now] = [meaningsOf(before), meaningsOf(after)];
  const isImported = (name: string): boolean =>
    redTexts.some(([, text]) => [`"${name}"`, `'${name}'`, `"${name}/`, `'${name}/`].some((way) => text.includes(way)));
  const target = (value: string): string => [folderOf(path), value.replace(/^\.\//, "")].filter(Boolean).join("/");
  /** Whether the work made a file, unnamed by the task, in place of the old one that it does not use. */
  const isStandIn = (value: string, old: string): boolean =>
    !words.names(path) &&
    changes.some(
      ({ path: other, before: none, after: text }) =>
        other === target(value) && none === null && !words.names(other) && text?.includes(baseOf(old)) === false,
    );
  const changed = [...new Set([...was.keys(), ...now.keys()])].filter((key) => {
    const [old, is] = [was.get(key), now.get(key)];
    if (old?.value === is?.value) return false;
    if (overrides.test(key)) return is !== undefined && !isVersion.test(is.value) && isImported(is.name);
    if (old === undefined || !isImported(old.name)) return false;
    if (installs.test(key)) return is !== undefined && !isVersion.test(is.value);
    if (removed.includes(target(old.value))) return false;
    return (
      !words.names(target(old.value)) ||
      is?.value.startsWith("{") === true ||
      (is !== undefined && isStandIn(is.value, old.value))
    );
  });
  return harm(...changed.map((key) => `${key} was edited`));
}

/** Matches manifests, locks and compiler configurations. */
const isManifest = /(?:^|\/)(?:package|package-lock|[jt]sconfig(?:\.\w{1,20})?)\.json$/;
const overrides = /^(?:overrides|resolutions)\./;
const installs = /^(?:dependencies|devDependencies|packages)\./;
/** Matches what is installed from a registry or from the same workspace. */
const isVersion = /^(?:workspace:|https?:)|^[\w^~<>=*. |-]*$/;

interface Meaning {
  /** What an import names. */
  readonly name: string;
  /** The file or package that the import means. */
  readonly value: string;
}

type Entries = Readonly<Record<string, unknown>>;

const manifestOf = (text: string): Entries => (parseJson(text) ?? {}) as Entries;

const parts = ["imports", "dependencies", "devDependencies", "overrides", "resolutions"];

/** Entries that give imports a meaning, by key. */
function meaningsOf(text: string): ReadonlyMap<string, Meaning> {
  const manifest = manifestOf(text);
  const own = String(manifest["name"]);
  const { exports, main, compilerOptions, packages } = manifest;
  const found = new Map<string, Meaning>();
  const add = (part: string, entries: unknown, nameOf = (name: string): string => name): void => {
    for (const [name, value] of Object.entries((entries ?? {}) as Entries)) {
      if (value === undefined) continue;
      const written = typeof value === "string" ? value : JSON.stringify(value);
      found.set(`${part}.${name}`, { name: nameOf(name), value: written });
    }
  };
  for (const part of parts) add(part, manifest[part]);
  const isMap = typeof exports === "object" && Object.keys(exports ?? {}).every((name) => name.startsWith("."));
  add("exports", isMap ? exports : { ".": exports }, (name) => `${own}${name.slice(1)}`);
  add("main", { ".": main }, () => own);
  add("paths", (compilerOptions as Entries | undefined)?.["paths"], (name) => name.replace(/\/?\*$/, ""));
  const sources = Object.entries((packages ?? {}) as Readonly<Record<string, Entries | null>>).map(
    ([place, installed]) => [place, installed?.["resolved"]] as const,
  );
  add("packages", Object.fromEntries(sources), (place) => place.replace(/^.*node_modules\//, ""));
  return found;
}
