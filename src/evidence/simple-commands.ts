import { splitCommand } from "../model/command-line.ts";

const pieces = /&&|\|\||[;|&()\n]|(?:[^\s;|&()'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/g;
const isOperator = /^(?:&&|\|\||[;|&()\n])$/;
const assignment = /^[A-Za-z_]\w*=/;
const keywords = new Set(
  "if then elif else while until do ! { } time exec command sudo nohup eval env cross-env".split(" "),
);
/** Programs that start another program, and the number of words of their own name. */
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

/** A call without the words before its program. */
function program(words: readonly string[]): readonly string[] {
  const [first = "", second = ""] = words;
  if (keywords.has(first) || assignment.test(first)) return program(words.slice(1));
  const launcher = launchers.find(([name]) => name.test(first) || name.test(`${first} ${second}`));
  if (launcher === undefined) return words;
  const rest = words.slice(launcher[1]);
  const start = rest.findIndex((word) => !/^-|^[\d.]+[smh]?$/.test(word));
  return start === -1 ? [] : program(rest.slice(start));
}
