/** A way to solve an error of a start. */
export interface WayOn {
  /** A sentence without a period. */
  readonly say: string;
  /** Command to run instead of a start. */
  readonly command?: "stop";
  /** Options to add to the start, as words of the command line. */
  readonly words?: readonly string[];
  /** Options to remove from the start. */
  readonly without?: readonly string[];
}

export const beginNewRun: WayOn = {
  say: "Begin a new run from the current plan; amounts already spent still count",
  words: ["--new-run"],
};

/** Solutions for a run that another version of fixpoint recorded. */
export const versionsApart: readonly WayOn[] = [
  { say: "Resume it with the version of fixpoint that recorded it" },
  { say: "Or begin a new run from the current plan", words: ["--new-run"] },
];

/** Write a solution with library options in place of command-line options. */
function renderInCode({ say, words = [], without = [] }: WayOn): string {
  const options = [
    ...words.flatMap((word, at) => (isOption(word) ? [named(word, words[at + 1])] : [])),
    ...without.map((word) => named(word, "off")),
  ];
  return options.length === 0 ? say : `${say} (${options.join(", ")})`;
}

const isOption = (word: string): boolean => /^--[a-z]/.test(word);

function named(option: string, value: string | undefined): string {
  // The library gives each executor its own `args`.
  if (option === "--executor-args") return `args: ${JSON.stringify(value?.replace(/^\w+: /, ""))}`;
  const name = option.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (value === undefined || isOption(value)) return `${name}: true`;
  return `${name}: ${value === "off" ? "false" : JSON.stringify(value)}`;
}

interface FixpointErrorOptions {
  /** Stable kebab-case code, listed in docs/errors.md. */
  code: string;
  /** One sentence that says what to do. */
  hint?: string;
  /** Solutions that hosts show instead of the hint. */
  ways?: readonly WayOn[];
  cause?: unknown;
}

/** Base class of all errors that fixpoint throws. `blame` says who can solve the error. */
export abstract class FixpointError extends Error {
  abstract readonly blame: "input" | "environment" | "invariant";
  readonly code: string;
  readonly hint: string | undefined;
  /** Hosts phrase these solutions for their users. */
  readonly ways: readonly WayOn[];

  constructor(message: string, { code, hint, ways = [], cause }: FixpointErrorOptions) {
    super(message, { cause });
    this.name = new.target.name;
    this.code = code;
    this.ways = ways;
    this.hint = ways.length === 0 ? hint : ways.map(renderInCode).join("\n");
  }
}

/** Invalid input; the same call will fail again. */
export class InputError extends FixpointError {
  readonly blame = "input";
}

/** A person must decide. The run stops at a gate, and later resumes with the same step. */
export class GateError extends InputError {}

/** A failure of the environment (file, process, network); the same call may succeed later. */
export class EnvironmentError extends FixpointError {
  readonly blame = "environment";
}

/** A defect in fixpoint. */
export class InvariantError extends FixpointError {
  readonly blame = "invariant";
}

/** Whether a run lost its lease on the spec and must stop writing. */
export const isLost = (error: unknown): boolean =>
  error instanceof EnvironmentError && (error.code === "spec-taken-over" || error.code === "run-data-removed");

/** @param where The run's storage place, as shown to people. */
export const takenOver = (where: string): EnvironmentError =>
  new EnvironmentError(`Cannot continue the run: another coordinator has taken it over in ${where}`, {
    code: "spec-taken-over",
    hint: "Leave the spec to the other coordinator; this one writes nothing more",
  });
