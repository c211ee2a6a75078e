import { splitCommand } from "../model/command-line.ts";
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

/** Matches an option of `grep` that reads patterns from a file. */
const given = /^--(?:file|exclude-from|include-from|ignore-file)=/;

/**
 * Files that decide the result of a program: its input, the one existing operand of `diff` or `cmp`, or the pattern
 * file of `grep`.
 */
export function referencesOf(
  program: string,
  words: readonly string[],
  isThere: (word: string) => boolean,
): readonly string[] {
  if (/^[ef]?grep$/.test(program)) {
    return words
      .flatMap((word, at) =>
        /^-\w*f$/.test(words[at - 1] ?? "") ? [word] : given.test(word) ? [word.replace(given, "")] : [],
      )
      .filter(isThere);
  }
  const input = words.findIndex((word) => word.startsWith("<"));
  const isScript = shells.test(program) && words.slice(0, input).every((word) => word.startsWith("-"));
  if (input !== -1 && !isScript && !reads.test(program)) {
    return words.slice(input).join(" ").replace(/^< ?/, "").split(" ", 1).filter(isThere);
  }
  const found = /^(?:diff|cmp)$/.test(program) ? words.filter(isThere) : [];
  return found.length === 1 ? found : [];
}

/** Files that decide what a script checks: files that its loops read, and input of calls within strings. */
export function inputsIn(script: string, isThere: (word: string) => boolean): readonly string[] {
  const lists = Array.from(
    script.matchAll(/\bin\s{1,9}\$\(\s{0,9}(?:cat\s{1,9}|<\s{0,9})([\w./-]{1,200})\s{0,9}\)/g),
    ([, path = ""]) => path,
  );
  const inner = Array.from(script.matchAll(/\$\(([^()]{1,400})\)/g), ([, calls = ""]) => calls);
  const inputs = inner
    .flatMap(simpleCommands)
    .flatMap(([program = "", ...rest]) => referencesOf(program, rest, isThere));
  return [...lists.filter(isThere), ...inputs];
}

/** The command of a shell's `-c`, or the path of its script, which may also be its standard input (`< file`). */
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

const pieces = /&&|\|\||[;|&()\n]|(?:[^\s;|&()'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/g;
const isOperator = /^(?:&&|\|\||[;|&()\n])$/;
const assignment = /^[A-Za-z_]\w*=/;
const keywords = new Set(
  "if then elif else while until do ! { } time exec command sudo nohup eval env cross-env".split(" "),
);
/** Programs that start another program, each with the number of words in its name (`npm exec` has two). */
const launchers: readonly (readonly [RegExp, number])[] = [
  [/^(?:npx|bunx|pnpx|uvx|timeout)$/, 1],
  [/^(?:pnpm|yarn|npm|bun) (?:exec|dlx|x)$/, 2],
  [/^(?:bundle exec|poetry run|uv run|pipenv run|hatch run|rye run|pdm run)$/, 2],
  [/^python[\d.]* -m$/, 2],
];

/** Programs that a shell script calls, each with its unquoted arguments; nothing is expanded. */
export function simpleCommands(script: string): readonly (readonly string[])[] {
  const calls: string[][] = [[]];
  // A process substitution `<(…)` is a call, too.
  const inner = Array.from(script.matchAll(/<\(([^()]*)\)/g), ([, command = ""]) => `\n${command}`);
  for (const [piece] of `${script.replace(/<\([^()]*\)/g, " - ")}${inner.join("")}`
    .replace(/\\\n/g, " ")
    .replace(/(?<![^\s;])#[^\n]*/g, "")
    .matchAll(pieces)) {
    if (isOperator.test(piece)) calls.push([]);
    else calls.at(-1)?.push(unquoted(piece));
  }
  return calls.map(program).filter(({ length }) => length > 0);
}

/** Unquote a word. `splitCommand` rejects an empty program name, so the word gets a prefix. */
const unquoted = (word: string): string => splitCommand(`x${word}`)[0].slice(1);

/** A call without keywords, assignments and launchers before its program. */
function program(words: readonly string[]): readonly string[] {
  const [first = "", second = ""] = words;
  if (keywords.has(first) || assignment.test(first)) return program(words.slice(1));
  const launcher = launchers.find(([name]) => name.test(first) || name.test(`${first} ${second}`));
  if (launcher === undefined) return words;
  const rest = words.slice(launcher[1]);
  const start = rest.findIndex((word) => !/^-|^[\d.]+[smh]?$/.test(word));
  return start === -1 ? [] : program(rest.slice(start));
}
