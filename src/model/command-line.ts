import { InputError, type WayOn } from "./errors.ts";

/**
 * Split a command line into words like a POSIX shell: at blanks, except in quotes and after backslashes.
 *
 * Nothing is expanded, and operators are ordinary characters: `$HOME`, `*`, `|` and `#` stay unchanged.
 *
 * @returns At least one word. @throws {InputError} `command-unreadable`: an open quote, a trailing backslash, or no
 * word.
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

/** A backslash before a line ending joins two lines. */
const tokens =
  /(?<joint>\\\n)|(?<blank>[ \t\n]+)|(?<plain>[^ \t\n\\'"]+)|\\(?<escaped>.)|'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\.)*)"/gsy;

function readToken({ plain, escaped, single, double = "" }: Record<string, string | undefined>): string {
  return plain ?? escaped ?? single ?? double.replace(/\\\n|\\([$`"\\])/g, "$1");
}

/** Wrap a command line in `sh -c` if it has unquoted shell operators such as `>`, `|`, `;`, `&&` and `$`. */
export function throughShell(line: string): string {
  const isOperator = ({ groups: { plain = "" } = {} }: RegExpMatchArray): boolean => /[<>|;&`]|\$[\w({]/.test(plain);
  return [...line.matchAll(tokens)].some(isOperator) ? `sh -c ${shellWord(line)}` : line;
}

const unreadable = (line: string, expected: string): InputError =>
  new InputError(`Cannot read command \`${line}\`, expected ${expected}`, {
    code: "command-unreadable",
    hint: "Write it as in a shell; for pipes and variables use sh -c '…'",
  });

/** Names of a spec on the command line, seen from the current folder. */
export interface SpecAddress {
  /** Command that calls fixpoint, such as `npx fixpoint`. */
  readonly program: string;
  /**
   * Spec argument of commands with `--cwd`: a name, a path relative to that folder, or empty if the call names no spec.
   */
  readonly spec: string;
  /** Value of `--cwd`; null for the current folder. */
  readonly cwd: string | null;
  /** Spec argument of commands without `--cwd`: a name, or a path from the current folder. */
  readonly path: string;
  /** Command that begins or resumes the run; `run` if not given. */
  readonly start?: "run" | "next";
  /** Options of the current call, as words. Advice repeats them, since a refused start does not store them. */
  readonly options?: readonly string[];
  /** Answer options of `resume`, such as `--decision`, as words; not given if there are none. */
  readonly answer?: readonly string[];
  /** Extra arguments by tool that come from the configuration or an earlier call; not given if there are none. */
  readonly args?: Readonly<Record<string, string>>;
  /** Fleet that executes the run, under the name `path`. Not given for a run on this machine. */
  readonly fleet?: { readonly queue: string; readonly executor: string };
}

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

export const addressOf = (name: string): SpecAddress => ({ program: "fixpoint", spec: name, cwd: null, path: name });

/** Advise `next`, not `run`, for a run that hands its tasks out. */
export const addressBy = (address: SpecAddress, run: { readonly outside: boolean } | null | undefined): SpecAddress =>
  run?.outside === true ? { ...address, start: "next" } : address;

/**
 * Write a command line to paste into a shell. `run` becomes the command that resumes this run.
 *
 * @param words Unquoted words: `task` (one or several) goes before the spec, `options` after it.
 */
export function commandLine(
  address: SpecAddress,
  command: AdvisedCommand,
  { task, options = [] }: { readonly task?: string | readonly string[]; readonly options?: readonly string[] } = {},
): string {
  const { program, spec, cwd, path, fleet, start = "run" } = address;
  if (fleet !== undefined) return fleetLine({ ...address, fleet }, command, { words: [task ?? []].flat(), options });
  const takesCwd = withCwd.has(command);
  const words = [
    ...(task === undefined ? [] : [task].flat()),
    ...[takesCwd ? spec : path].filter((named) => named !== "").map(unlikeOption),
    ...(takesCwd && cwd !== null ? ["--cwd", cwd] : []),
    ...options,
  ];
  return [program, command === "run" ? start : command, ...words.map(shellWord)].join(" ");
}

const answering: ReadonlySet<string> = new Set(["--decision", "--guidance", "--task"]);

/** In a fleet, `say`, `status` and `why` refer to an existing run; every other command submits a new run. */
function fleetLine(
  { program, spec, path, fleet }: SpecAddress & Required<Pick<SpecAddress, "fleet">>,
  command: AdvisedCommand,
  { words, options }: { readonly words: readonly string[]; readonly options: readonly string[] },
): string {
  const queue = ["--queue", fleet.queue];
  const kept = options.filter((word, at) => !answering.has(word) && !answering.has(options[at - 1] ?? ""));
  const line = {
    say: ["say", path, ...words, ...options, ...queue],
    status: ["status", path, ...queue],
    why: ["why", ...words, path, ...queue],
  }[command as string] ?? ["submit", spec, ...queue, "--executor", fleet.executor, ...kept];
  return [program, ...line.map(shellWord)].join(" ");
}

/** Add the answer of a call that is refused before it takes effect, so that advice repeats the answer. */
export function withAnswer(
  address: SpecAddress,
  given: { readonly task?: unknown; readonly guidance?: unknown; readonly decision?: unknown },
): SpecAddress {
  const named = ["task", "guidance", "decision"] as const;
  const answer = named.flatMap((name) => (typeof given[name] === "string" ? [`--${name}`, given[name]] : []));
  return { ...address, answer };
}

/** Options that may be repeated; each use adds a value. */
const adding: ReadonlySet<string> = new Set(["--executor", "--executor-args", "--pass-env"]);

/** Write the current `run`, `next` or `resume` call with more options. A new value replaces an earlier one. */
export const sameAgain = (address: SpecAddress, ...more: string[]): string => onward(address, { words: more });

function onward(address: SpecAddress, { words = [], without = [] }: Omit<WayOn, "say">): string {
  const gone = new Set([...without, ...words.filter((word) => word.startsWith("--") && !adding.has(word))]);
  const typed = address.options ?? [];
  const isGone = (word: string, at: number): boolean =>
    gone.has(word) || (gone.has(typed[at - 1] ?? "") && !word.startsWith("--"));
  const kept = typed.filter((word, at) => !isGone(word, at));
  // `--executor-args` replaces all remembered arguments, so repeat the remembered arguments.
  const args = words.includes("--executor-args") && !typed.includes("--executor-args") ? (address.args ?? {}) : {};
  const remembered = Object.entries(args).flatMap(([tool, flags]) => ["--executor-args", `${tool}: ${flags}`]);
  // A new run has no question to answer.
  const answer = words.includes("--new-run") ? [] : (address.answer ?? []);
  const command = answer.length === 0 ? "run" : "resume";
  return commandLine(address, command, { options: [...answer, ...kept, ...remembered, ...words] });
}

/** Advice about an error: a line with its command for each solution, or the hint if there is no solution. */
export const adviceOf = (
  { hint, ways }: { readonly hint: string | undefined; readonly ways: readonly WayOn[] },
  address: SpecAddress,
): string | undefined => (ways.length === 0 ? hint : renderActions(ways, address));

export const renderActions = (ways: readonly WayOn[], address: SpecAddress): string =>
  ways.map((way) => renderWay(way, address)).join("\n");

function renderWay({ say, command, ...options }: WayOn, address: SpecAddress): string {
  if (command !== undefined) return `${say}: ${commandLine(address, command)}`;
  return options.words === undefined && options.without === undefined ? say : `${say}: ${onward(address, options)}`;
}

const unlikeOption = (path: string): string => (path.startsWith("-") ? `./${path}` : path);

export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /[$`"\\!]/.test(word) ? `'${word.replaceAll("'", String.raw`'\''`)}'` : `"${word}"`;
}
