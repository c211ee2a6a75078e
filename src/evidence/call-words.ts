import { filesOf } from "./runners.ts";

export const shells = /^(?:ba|da|z|k)?sh$/;
export const interpreters = /^(?:node|tsx|ts-node|python[\d.]*|ruby|php|deno|perl|lua|Rscript)$/;
/** Programs that run scripts of a manifest. */
export const managers = /^(?:npm|pnpm|yarn|bun|turbo|lerna|nx|run-s|run-p|npm-run-all|composer)$/;
export const isRunner = (word: string): boolean =>
  /^\w/.test(word) &&
  (managers.test(word) ||
    /^g?make$/.test(word) ||
    shells.test(word) ||
    interpreters.test(word) ||
    filesOf(word).length > 0);
/** Programs whose arguments are texts and files, not commands. */
export const reads =
  /^(?:[ef]?grep|rg|ag|echo|printf|test|\[{1,2}|cat|ls|which|type|head|tail|wc|diff|cmp|cp|mv|rm|mkdir|touch|git|export|set|unset|for|case)$/;

/** Paths in a text, also inside quotes. Includes patterns with `*`. */
export const pathsIn = (text: string): string[] =>
  (text.match(/[\w@.*?/-]+/g) ?? []).filter((part) => /\w[./]\w|\*/.test(part));

/** Files that an output is compared with: the one existing operand of `diff` or `cmp`, or the pattern file of `grep`. */
export function referencesOf(
  program: string,
  words: readonly string[],
  isThere: (word: string) => boolean,
): readonly string[] {
  if (/^[ef]?grep$/.test(program)) {
    return words.filter((word, at) => /^-\w*f$/.test(words[at - 1] ?? "") && isThere(word));
  }
  const found = /^(?:diff|cmp)$/.test(program) ? words.filter(isThere) : [];
  return found.length === 1 ? found : [];
}

/** The command that a shell runs with `-c`, or its script file, also if read from standard input (`< file`). */
export function shellScript(words: readonly string[]): {
  readonly command: string | null;
  readonly file: string | null;
} {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    const isOption = /^[-+]\w/.test(word);
    if (isOption && word.includes("c")) {
      const command = words.slice(at + 1).find((each) => !/^[-+]\w/.test(each));
      return { command: command ?? null, file: null };
    }
    if (isOption && word.endsWith("o")) at += 1;
    else if (!isOption && word !== "<") return { command: null, file: word.replace(/^</, "") };
  }
  return { command: null, file: null };
}

const runs = /^(?:run|run-script|test|t|tst)$/;
const placing = /^(?:--prefix|-C|--cwd|--dir)$/;
const selecting = /^(?:-w|--workspace|--filter|-F|--scope|--project)$/;

/** The scripts of a manifest that a program runs, and the folder of the manifest. */
export function scriptsOf(
  program: string,
  words: readonly string[],
): { readonly scripts: readonly string[]; readonly place: string } {
  const ends = words.indexOf("--");
  const given = ends === -1 ? words : words.slice(0, ends);
  const own = given.filter(
    (word, at) => !/^-/.test(word) && !placing.test(given[at - 1] ?? "") && !selecting.test(given[at - 1] ?? ""),
  );
  const place = ["--prefix", "-C", "--cwd", "--dir"].map((flag) => optionIn(given, flag)).join("");
  const [first = "", second] = own[0] === "workspace" ? own.slice(2) : own;
  if (/^(?:turbo|lerna|nx|run-s|run-p|npm-run-all)$/.test(program)) {
    return { scripts: own.filter((word) => word !== "run").map((word) => word.split(":").at(-1) as string), place };
  }
  if (first === "") return { scripts: [], place };
  const named = first.startsWith("run") ? second : program === "bun" ? undefined : "test";
  const script = runs.test(first) ? named : program === "npm" || program === "bun" ? undefined : first;
  return { scripts: script === undefined ? [] : [script], place };
}

/** Value of an option, as the next word or after `=`; empty if not given. */
export function optionIn(words: readonly string[], flag: string): string {
  const at = words.indexOf(flag);
  if (at !== -1) return words[at + 1] ?? "";
  return words.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1) ?? "";
}
