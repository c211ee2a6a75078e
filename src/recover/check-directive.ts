import type { Directive, Repair } from "../model/directive.ts";

/** Words that make nothing more specific. What may turn a text into its opposite, such as "from", is none of them. */
const stopWords = new Set(
  [
    "a an the this that these those it its",
    "of to in on at by for with as into",
    "and or then also so",
    "is are be been will should must",
    "please just now again properly correctly fully successfully",
  ].flatMap((line) => line.split(" ")),
);

/** The words of a text that carry its meaning, in order: without case, punctuation and stop words. */
export function wordsOf(text: string): string[] {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/['’]/g, "")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((word) => !stopWords.has(word));
}

/** A directive, and what is known of the task it is given for. */
export interface GivenDirective {
  readonly directive: Directive;
  /** `do` as it stands in the plan; undefined where the task has none. */
  readonly task: { readonly id: string; readonly title: string; readonly do: string | undefined };
  /** Directives that were followed in its tree before. */
  readonly repairs: readonly Repair[];
}

/**
 * Whether a directive of a repair operator can be followed: null, or the reason why not. Skipping a task and asking a
 * person are never refused.
 */
export function checkDirective({ directive, task, repairs }: GivenDirective): string | null {
  const earlier = repairs.filter((repair) => repair.task === task.id).map((repair) => repair.directive);
  switch (directive.strategy) {
    case "retry":
      return earlier.some((other) => other.strategy === "retry" && isSame(other.adjustment, directive.adjustment))
        ? `task ${task.id} was retried with this adjustment before`
        : null;
    case "decompose":
      return earlier.some(({ strategy }) => strategy === "decompose")
        ? `task ${task.id} was decomposed before`
        : checkParts(directive.parts, task);
    case "prune":
    case "escalate":
      return null;
  }
}

/** The order of words counts: to use A instead of B is not to use B instead of A. */
const isSame = (one: string, other: string): boolean => wordsOf(one).join(" ") === wordsOf(other).join(" ");

/** Between the things that a title lists. */
const listing = /[,;&+]|\b(?:and|or|plus|then|with)\b/i;

/** A part has to be more specific than the task, and none may say what another says. */
function checkParts(texts: readonly string[], task: GivenDirective["task"]): string | null {
  const title = new Set(wordsOf(task.title));
  const doing = new Set(wordsOf(task.do ?? ""));
  const parts = texts.map((text) => new Set(wordsOf(text)));
  for (const [index, part] of parts.entries()) {
    const isShare = listing.test(task.title) && isShareOf(title, part, parts);
    if ((isWithin(part, title) && !isShare) || isEqual(part, doing)) {
      return `part ${index + 1} is not more specific than the task`;
    }
    const first = parts.findIndex((other) => isEqual(other, part));
    if (first < index) return `part ${index + 1} says the same as part ${first + 1}`;
  }
  return null;
}

type Words = ReadonlySet<string>;

/** Whether a part leaves to others what the title lists, too: "Add parser and printer" may become "Add parser". */
const isShareOf = (title: Words, part: Words, parts: readonly Words[]): boolean =>
  part.size > 0 && [...title].some((word) => !part.has(word) && parts.some((other) => other.has(word)));

const isWithin = (part: Words, whole: Words): boolean => [...part].every((word) => whole.has(word));
const isEqual = (one: Words, other: Words): boolean => one.size === other.size && isWithin(one, other);
