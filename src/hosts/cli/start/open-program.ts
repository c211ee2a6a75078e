import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";
import { type CodeCache, type CompiledFile, openCodeCache } from "./code-cache.ts";

/** The files that the command line is bundled into, loaded as they are asked for. */
export interface Program {
  /** What a file exports, by its name without its ending. */
  load<Exports>(name: string): Exports;
  /** Keep what was compiled for the next start. Never fails. */
  keep(): void;
}

interface Loaded {
  readonly script: Script;
  readonly source: number;
}

type Run = (exports: object, require: (id: string) => unknown, module: object, file: string, folder: string) => void;

/**
 * @param folder Of the bundled files, CommonJS for which code can be compiled ahead on every Node.
 * @param word The command, whose code is kept apart from that of others.
 */
export function openProgram(folder: string, word: string): Program {
  const cache = isRefused() ? null : openCodeCache(`${word}-${programKey(folder)}`);
  const modules = new Map<string, { readonly exports: object }>();
  const loaded = new Map<string, Loaded>();
  const outside = createRequire(join(folder, "main.js"));
  let isComplete = true;

  const load = (path: string): object => {
    const known = modules.get(path);
    if (known !== undefined) return known.exports;
    const { script, source, isCached } = compile(path, cache);
    isComplete &&= isCached;
    const module = { exports: {} };
    modules.set(path, module);
    loaded.set(basename(path), { script, source });
    const require = (id: string): unknown => (id.startsWith(".") ? load(join(folder, id)) : outside(id));
    try {
      (script.runInThisContext() as Run)(module.exports, require, module, path, folder);
    } catch (error) {
      modules.delete(path);
      throw error;
    }
    return module.exports;
  };

  return {
    load: <Exports>(name: string) => load(join(folder, `${name}.js`)) as Exports,
    keep: () => {
      if (cache !== null && !(isComplete && cache.isFresh)) cache.write(() => compiledFiles(loaded, cache));
    },
  };
}

/** As Node's own cache is, by the same variable. */
const isRefused = (): boolean => (process.env["NODE_DISABLE_COMPILE_CACHE"] ?? "") !== "";

/** Code fits one engine with its flags, which refuses what does not fit; an installation has its own. */
function programKey(folder: string): string {
  const key = [process.version, process.arch, process.execArgv, process.env["NODE_OPTIONS"], folder];
  return crc32(JSON.stringify(key)).toString(16).padStart(8, "0");
}

function compile(path: string, cache: CodeCache | null): Loaded & { readonly isCached: boolean } {
  const bytes = readFileSync(path);
  const source = crc32(bytes);
  const found = cache?.files.get(basename(path));
  const cachedData = found?.source === source ? found.code : undefined;
  const opening = "(function (exports, require, module, __filename, __dirname) {";
  // It is bundled in ASCII, which need not be decoded.
  const script = new Script(`${opening}${bytes.toString("latin1")}\n})`, {
    filename: path,
    columnOffset: -opening.length,
    ...(cachedData !== undefined && { cachedData }),
  });
  return { script, source, isCached: cachedData !== undefined && script.cachedDataRejected !== true };
}

/** What this start has loaded, and what others have that this one had no use for. */
function compiledFiles(loaded: ReadonlyMap<string, Loaded>, cache: CodeCache): Map<string, CompiledFile> {
  const own = [...loaded].map(
    ([name, { script, source }]) => [name, { source, code: script.createCachedData() }] as const,
  );
  const isSame = own.every(([name, { source }]) => (cache.files.get(name)?.source ?? source) === source);
  return new Map([...(isSame ? cache.files : []), ...own]);
}
