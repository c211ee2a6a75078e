import { type Pipeline, readCommandList, type SimpleCommand, type Statement } from "./read-command-list.ts";

/** What makes a script exit with 0. */
export interface FreePass {
  /** What joins it to what stands before it, `;` for a new statement; null when nothing does. */
  readonly operator: "&&" | "||" | "|" | ";" | null;
  /** As it is written; empty when the script has none. */
  readonly command: string;
}

const plainName = /^(?:[\w./+@~-]+|\[|:)$/;
/** What can end the script, or change what its exit code says. */
const diverting = new Set(
  "exit return exec set trap eval source . kill shopt command builtin alias break continue".split(" "),
);
/** Programs that only pass text on, and the words with which they do. */
const filters: Readonly<Record<string, RegExp>> = {
  head: /^-(?:[qv]|[nc]?-?\d+|[nc])$|^\d+$/,
  tail: /^-(?:[qv]|[nc]?[+-]?\d+|[nc])$|^[+-]?\d+$/,
  cat: /^-[AbEensTtuv]+$/,
  wc: /^-[clmLw]+$/,
  sort: /^-[bdfhgMnRruVz]+$/,
  uniq: /^-[cdDiuz]+$/,
};
/**
 * The command by which a script exits with 0, whatever those before it did; null when the script can fail, and when
 * that is not clear.
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

/** As `${name:?}` and a division by zero do. */
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
  const filter = commands.length > 1 && Object.hasOwn(filters, name) ? filters[name] : undefined;
  return filter !== undefined && rest.every((word) => filter.test(word));
}

const isExitZero = ({ words, files }: SimpleCommand): boolean =>
  words.length === 2 && words[0] === "exit" && words[1] === "0" && files.length === 0;
