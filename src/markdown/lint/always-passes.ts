import { type Pipeline, readCommandList, type SimpleCommand, type Statement } from "./read-command-list.ts";

/** The part that makes a script exit with 0. */
export interface FreePass {
  /** Operator before this part, `;` for a new statement; null for the first command. */
  readonly operator: "&&" | "||" | "|" | ";" | null;
  /** As written; empty if the script has no command. */
  readonly command: string;
}

const plainName = /^(?:[\w./+@~-]+|\[|:)$/;
/** Commands that may end the script, or change the meaning of its exit code. */
const diverting = new Set(
  "exit return exec set trap eval source . kill shopt command builtin alias break continue".split(" "),
);
/** Programs that only pass text on, each with the pattern that all its arguments have to match. */
const filters: Readonly<Record<string, RegExp>> = {
  head: /^-(?:[qv]|[nc]?-?\d+|[nc])$|^\d+$/,
  tail: /^-(?:[qv]|[nc]?[+-]?\d+|[nc])$|^[+-]?\d+$/,
  cat: /^-[AbEensTtuv]+$/,
  wc: /^-[clmLw]+$/,
  sort: /^-[bdfhgMnRruVz]+$/,
  uniq: /^-[cdDiuz]+$/,
  tee: /^[^>|]+$/,
  tr: /./,
  cut: /^-[bcdfs]./,
  column: /^-[ts]+$/,
};
/** Arguments of awk before its program. */
const awkWords = /^-[Fv]\S+$|^-[Fv]$|^\w+=\S*$/;
const awkDiverts = /\b(?:exit|system|getline)\b/;
/**
 * Find the command that makes a script exit with 0, whatever the commands before it do; null if the script can fail, or
 * this is unclear.
 */
export function alwaysPasses(script: string): FreePass | null {
  const statements = readCommandList(script);
  if (statements === null) return null;
  const last = statements.at(-1);
  if (last === undefined) return { operator: null, command: "" };
  if (statements.some(mayDivert) || canFail(last)) return null;
  const { commands, operator } = last.at(-1) as Pipeline;
  const { words } = commands.at(-1) as SimpleCommand;
  const joint = commands.length > 1 ? "|" : (operator ?? (statements.length > 1 ? ";" : null));
  return { operator: joint, command: words.join(" ") };
}

/**
 * Find the command at the end of a pipeline that hides the exit codes of the commands before it; null if there is none,
 * or this is unclear.
 */
export function hidesExit(script: string): FreePass | null {
  const statements = readCommandList(script);
  const last = statements?.at(-1)?.at(-1);
  if (last === undefined || statements?.some(mayDivert) || last.commands.length === 1 || !hides(last)) return null;
  return { operator: "|", command: (last.commands.at(-1) as SimpleCommand).words.join(" ") };
}

function hides({ commands, isNegated }: Pipeline): boolean {
  if (isNegated) return false;
  return (
    passes(commands) || (dropsLines(commands.at(-1) as SimpleCommand) && !searches.has(commands.at(-2)?.words[0] ?? ""))
  );
}

const searches = new Set(["grep", "egrep", "fgrep", "rg", "git", "cat", "find", "ls"]);

/**
 * Whether a command only removes lines from the output of other commands, so that its exit code says nothing about
 * these commands.
 */
const dropsLines = ({ words: [name, option = "", ...rest], files }: SimpleCommand): boolean =>
  name === "grep" && files.length === 0 && rest.length === 1 && /^-[Eiw]*v[Eiw]*$/.test(option);

const mayDivert = (statement: Statement): boolean =>
  statement.some(({ commands }) =>
    commands.some((command) => {
      const { words, files } = command;
      const [name] = words;
      if (words.some(mayEndShell) || files.some(mayEndShell)) return true;
      if (name === undefined || name.startsWith("(")) return false;
      return !plainName.test(name) || (diverting.has(name) && !isExitZero(command));
    }),
  );

/** Whether a word may end the shell, as `${name:?}` and a division by zero do. */
function mayEndShell(word: string): boolean {
  const start = word.indexOf("${");
  return (start !== -1 && word.includes("?", start)) || word.includes("$((");
}

const canFail = (statement: Statement): boolean =>
  statement.reduce((before, { operator, isNegated, commands }) => {
    const fails = isNegated || !passes(commands);
    return operator === "||" ? before && fails : before || fails;
  }, false);

function passes(commands: readonly SimpleCommand[]): boolean {
  const { words, files } = commands.at(-1) as SimpleCommand;
  if (files.length > 0) return false;
  const [name = "", ...rest] = words;
  if (name === "true" || name === ":" || name === "echo") return true;
  if (name === "printf") return rest[0] !== undefined && !/^-|%/.test(rest[0]);
  if (name === "exit") return true;
  if (commands.length > 1 && /^g?awk$|^mawk$/.test(name)) return neverFails(rest);
  const filter = commands.length > 1 && Object.hasOwn(filters, name) ? filters[name] : undefined;
  return filter !== undefined && rest.every((word) => filter.test(word));
}

/** Whether awk gets a single quoted program that does not set the exit code, and reads no file. */
function neverFails(words: readonly string[]): boolean {
  const at = words.findIndex((word) => word.startsWith("'"));
  const program = words[at] ?? "";
  const isWhole =
    at === words.length - 1 &&
    words.slice(0, at).every((word, index) => awkWords.test(word) || /^-[Fv]$/.test(words[index - 1] ?? ""));
  return at !== -1 && isWhole && program.length > 1 && !awkDiverts.test(program);
}

const isExitZero = ({ words, files }: SimpleCommand): boolean =>
  words.length === 2 && words[0] === "exit" && words[1] === "0" && files.length === 0;
