import { InputError } from "./errors.ts";

/**
 * Split a command line into words as a POSIX shell does: at blanks, but for those in quotes and behind backslashes.
 *
 * Nothing is expanded, and operators are ordinary characters: `$HOME`, `*`, `|` and `#` stay as they are.
 *
 * @returns At least one word.
 * @throws {InputError} `command-unreadable`: a quote is left open, a backslash is the last character, or there is no
 *   word.
 */
export function splitCommand(line: string): [string, ...string[]] {
  const words: string[] = [];
  let word: string | undefined;
  let end = 0;
  for (const { index, 0: text, groups = {} } of line.matchAll(tokens)) {
    end = index + text.length;
    if (groups["blank"] !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (groups["joint"] === undefined) {
      word = (word ?? "") + readToken(groups);
    }
  }
  if (end < line.length) throw unreadable(line, `an end to the \`${line[end]}\` at character ${end + 1}`);
  if (word !== undefined) words.push(word);
  const [file, ...args] = words;
  if (file === undefined || file === "") throw unreadable(line, "the name of a program");
  return [file, ...args];
}

/** The pieces of a line, one after the other. A backslash before a line ending joins two lines and stands for nothing. */
const tokens =
  /(?<joint>\\\n)|(?<blank>[ \t\n]+)|(?<plain>[^ \t\n\\'"]+)|\\(?<escaped>.)|'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\.)*)"/gsy;

function readToken({ plain, escaped, single, double = "" }: Record<string, string | undefined>): string {
  return plain ?? escaped ?? single ?? double.replace(/\\\n|\\([$`"\\])/g, "$1");
}

const unreadable = (line: string, expected: string): InputError =>
  new InputError(`Cannot read command \`${line}\`, expected ${expected}`, {
    code: "command-unreadable",
    hint: "Write it as you would in a shell; for pipes and variables use sh -c '…'",
  });
