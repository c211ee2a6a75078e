import { InputError, type WayOn } from "./errors.ts";

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

/**
 * A command line that means what a shell makes of it: with operators outside of quotes, such as `>`, `|`, `;`, `&&` and
 * `$`, it is one for `sh -c`; any other stays as it is.
 */
export function throughShell(line: string): string {
  const isOperator = ({ groups: { plain = "" } = {} }: RegExpMatchArray): boolean => /[<>|;&`]|\$[\w({]/.test(plain);
  return [...line.matchAll(tokens)].some(isOperator) ? `sh -c ${shellWord(line)}` : line;
}

const unreadable = (line: string, expected: string): InputError =>
  new InputError(`Cannot read command \`${line}\`, expected ${expected}`, {
    code: "command-unreadable",
    hint: "Write it as you would in a shell; for pipes and variables use sh -c '…'",
  });

/** How a person names a spec on the command line, from where they stand. */
export interface SpecAddress {
  /** What fixpoint is called with, such as `npx fixpoint`. */
  readonly program: string;
  /** The spec, as commands take it that know `--cwd`: a name, a path from that folder, or nothing where none is named. */
  readonly spec: string;
  /** Value of `--cwd`; null when it is the current folder. */
  readonly cwd: string | null;
  /** The spec, as all other commands take it: a name, or a path from the current folder. */
  readonly path: string;
  /** The command that this call is: `run` when not given. */
  readonly start?: "run" | "next";
  /** Options that this call was given and a refused start does not remember, as words; none when not given. */
  readonly options?: readonly string[];
  /** What a person has answered with `resume`, as its options; none when not given. */
  readonly answer?: readonly string[];
  /** Flags that tools are called with though this call does not say so, by tool; none when not given. */
  readonly args?: Readonly<Record<string, string>>;
}

/** The commands that are advised. */
type AdvisedCommand =
  | "run"
  | "next"
  | "resume"
  | "pause"
  | "stop"
  | "say"
  | "status"
  | "lint"
  | "why"
  | "logs"
  | "attempts"
  | "diff"
  | "restore"
  | "replay"
  | "reset";

const withCwd: ReadonlySet<AdvisedCommand> = new Set(["run", "next", "resume", "lint"]);

/** The address of a spec of that name in the current folder. */
export const addressOf = (name: string): SpecAddress => ({ program: "fixpoint", spec: name, cwd: null, path: name });

/**
 * A command line that a person can paste into a shell as it stands.
 *
 * @param words Words behind the command, still to be quoted: a task, or others, before the spec, options behind it.
 */
export function commandLine(
  { program, spec, cwd, path }: SpecAddress,
  command: AdvisedCommand,
  { task, options = [] }: { readonly task?: string | readonly string[]; readonly options?: readonly string[] } = {},
): string {
  const takesCwd = withCwd.has(command);
  const words = [
    ...(task === undefined ? [] : [task].flat()),
    ...[takesCwd ? spec : path].filter((named) => named !== "").map(unlikeOption),
    ...(takesCwd && cwd !== null ? ["--cwd", cwd] : []),
    ...options,
  ];
  return [program, command, ...words.map(shellWord)].join(" ");
}

/** Options that may be given several times: one more adds to those before. */
const adding: ReadonlySet<string> = new Set(["--executor", "--executor-args", "--pass-env"]);

/** The command line of this very call of `run`, `next` or `resume`, with more options: a value given anew replaces the old. */
export const sameAgain = (address: SpecAddress, ...more: string[]): string => onward(address, { words: more });

function onward(address: SpecAddress, { words = [], without = [] }: Omit<WayOn, "say">): string {
  const gone = new Set([...without, ...words.filter((word) => word.startsWith("--") && !adding.has(word))]);
  const typed = address.options ?? [];
  const isGone = (word: string, at: number): boolean =>
    gone.has(word) || (gone.has(typed[at - 1] ?? "") && !word.startsWith("--"));
  const kept = typed.filter((word, at) => !isGone(word, at));
  // Flags that are typed take the place of all that are remembered.
  const args = words.includes("--executor-args") && !typed.includes("--executor-args") ? (address.args ?? {}) : {};
  const remembered = Object.entries(args).flatMap(([tool, flags]) => ["--executor-args", `${tool}: ${flags}`]);
  // A new run has nothing to answer.
  const answer = words.includes("--new-run") ? [] : (address.answer ?? []);
  const command = answer.length === 0 ? (address.start ?? "run") : "resume";
  return commandLine(address, command, { options: [...answer, ...kept, ...remembered, ...words] });
}

/** What a person is told of an error: each way past it with its line. */
export const adviceOf = (
  { hint, ways }: { readonly hint: string | undefined; readonly ways: readonly WayOn[] },
  address: SpecAddress,
): string | undefined => (ways.length === 0 ? hint : tellWays(ways, address));

/** Ways on, a line each. */
export const tellWays = (ways: readonly WayOn[], address: SpecAddress): string =>
  ways.map((way) => tellWay(way, address)).join("\n");

/** A way on with its line. */
function tellWay({ say, command, ...options }: WayOn, address: SpecAddress): string {
  if (command !== undefined) return `${say}: ${commandLine(address, command)}`;
  return options.words === undefined && options.without === undefined ? say : `${say}: ${onward(address, options)}`;
}

/** A path that begins as an option does, so that it does not. */
const unlikeOption = (path: string): string => (path.startsWith("-") ? `./${path}` : path);

/** A word as a shell takes it. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /[$`"\\!]/.test(word) ? `'${word.replaceAll("'", String.raw`'\''`)}'` : `"${word}"`;
}
