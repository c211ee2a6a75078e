/** How a person names a spec on the command line, from where they stand. */
export interface SpecAddress {
  /** What fixpoint is called with, such as `npx fixpoint`. */
  readonly program: string;
  /** The spec, as commands take it that know `--cwd`: a name, or a path from that folder. */
  readonly spec: string;
  /** Value of `--cwd`; null when it is the current folder. */
  readonly cwd: string | null;
  /** The spec, as all other commands take it: a name, or a path from the current folder. */
  readonly path: string;
  /** Options that this call was given and a refused start does not remember, as words; none when not given. */
  readonly options?: readonly string[];
}

/** The commands that are advised. */
export type AdvisedCommand =
  | "run"
  | "resume"
  | "pause"
  | "stop"
  | "status"
  | "lint"
  | "why"
  | "logs"
  | "replay"
  | "reset";

const withCwd: ReadonlySet<AdvisedCommand> = new Set(["run", "resume", "lint"]);

/** The address of a spec of that name in the current folder. */
export const addressOf = (name: string): SpecAddress => ({ program: "fixpoint", spec: name, cwd: null, path: name });

/**
 * A command line that a person can paste into a shell as it stands.
 *
 * @param words Words behind the command, still to be quoted: a task before the spec, options behind it.
 */
export function commandLine(
  { program, spec, cwd, path }: SpecAddress,
  command: AdvisedCommand,
  { task, options = [] }: { readonly task?: string; readonly options?: readonly string[] } = {},
): string {
  const takesCwd = withCwd.has(command);
  const words = [
    ...(task === undefined ? [] : [task]),
    unlikeOption(takesCwd ? spec : path),
    ...(takesCwd && cwd !== null ? ["--cwd", cwd] : []),
    ...options,
  ];
  return [program, command, ...words.map(shellWord)].join(" ");
}

/** The command line of this very call of `run` or `resume`, with more options. */
export const sameAgain = (address: SpecAddress, ...more: string[]): string =>
  commandLine(address, "run", { options: [...(address.options ?? []), ...more] });

/** A path that begins as an option does, so that it does not. */
const unlikeOption = (path: string): string => (path.startsWith("-") ? `./${path}` : path);

/** A word as a shell takes it. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /[$`"\\!]/.test(word) ? `'${word.replaceAll("'", String.raw`'\''`)}'` : `"${word}"`;
}
