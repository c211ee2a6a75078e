/** How a start gets past an error, when a person wants that. */
export interface WayOn {
  /** What it does, as a sentence without a period. */
  readonly say: string;
  /** Another command about the spec that does it, in place of a start. */
  readonly command?: "stop";
  /** Options that a start takes for it, as words of the command line; none where it takes no option. */
  readonly words?: readonly string[];
  /** Options that a start must not have for it. */
  readonly without?: readonly string[];
}

/** Past a run that cannot be gone on with. */
export const beginNewRun: WayOn = {
  say: "Begin a new run from the plan as it stands; what was spent still counts",
  words: ["--new-run"],
};

/** Past a run that another version has recorded. */
export const versionsApart: readonly WayOn[] = [
  { say: "Go on with it in the version of fixpoint that recorded it" },
  { say: "Or begin a new run from the plan as it stands", words: ["--new-run"] },
];

/** A way on, with its options under the names that they have in a program. */
function tellInCode({ say, words = [], without = [] }: WayOn): string {
  const options = [
    ...words.flatMap((word, at) => (isOption(word) ? [named(word, words[at + 1])] : [])),
    ...without.map((word) => named(word, "off")),
  ];
  return options.length === 0 ? say : `${say} (${options.join(", ")})`;
}

const isOption = (word: string): boolean => /^--[a-z]/.test(word);

function named(option: string, value: string | undefined): string {
  // In a program a tool has its arguments of its own.
  if (option === "--executor-args") return `args: ${JSON.stringify(value?.replace(/^\w+: /, ""))}`;
  const name = option.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (value === undefined || isOption(value)) return `${name}: true`;
  return `${name}: ${value === "off" ? "false" : JSON.stringify(value)}`;
}

/** What every thrown error carries besides its message. */
interface FixpointErrorOptions {
  /** Stable kebab-case name of the cause, listed in docs/errors.md. */
  code: string;
  /** One sentence a person can act on. */
  hint?: string;
  /** In place of the hint: what a start can be told to get past it. */
  ways?: readonly WayOn[];
  cause?: unknown;
}

/** Base of everything fixpoint throws; `blame` says whose move it is. */
export abstract class FixpointError extends Error {
  abstract readonly blame: "input" | "environment" | "invariant";
  readonly code: string;
  readonly hint: string | undefined;
  /** What the hint says, for a host that can say it as its own users take it. */
  readonly ways: readonly WayOn[];

  constructor(message: string, { code, hint, ways = [], cause }: FixpointErrorOptions) {
    super(message, { cause });
    this.name = new.target.name;
    this.code = code;
    this.ways = ways;
    this.hint = ways.length === 0 ? hint : ways.map(tellInCode).join("\n");
  }
}

/** What was passed in cannot be used; the same call will fail again. */
export class InputError extends FixpointError {
  readonly blame = "input";
}

/** Something that a person has to decide about. The run stops at a gate, and resumes with what it could not do. */
export class GateError extends InputError {}

/** The outside refused (file, process, network); the same call may succeed later. */
export class EnvironmentError extends FixpointError {
  readonly blame = "environment";
}

/** Our own defect. */
export class InvariantError extends FixpointError {
  readonly blame = "invariant";
}

/** Whether an error says that a run does not hold its spec any more: nothing of it may be written from then on. */
export const isLost = (error: unknown): boolean =>
  error instanceof EnvironmentError && (error.code === "spec-taken-over" || error.code === "run-data-removed");

/** @param where Where the run is kept, as people are told it. */
export const takenOver = (where: string): EnvironmentError =>
  new EnvironmentError(`Cannot go on with the run, another coordinator has taken it over in ${where}`, {
    code: "spec-taken-over",
    hint: "Leave the spec to it; nothing more is written here",
  });
