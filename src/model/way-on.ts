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
export function tellInCode({ say, words = [], without = [] }: WayOn): string {
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
