import type { Directive, Repair } from "../model/directive.ts";

/** Words to ignore when comparing texts. The list contains no word that can reverse a meaning, such as "from". */
const stopWords = new Set(
  [
    "a an the this that these those it its",
    "of to in on at by for with as into",
    "and or then also so",
    "is are be been will should must",
    "please just now again properly correctly fully successfully",
  ].flatMap((line) => line.split(" ")),
);

/** The meaningful words of a text, in order: lower case, without punctuation and stop words. */
export function wordsOf(text: string): string[] {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/['’]/g, "")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((word) => !stopWords.has(word));
}

export interface GivenDirective {
  readonly directive: Directive;
  /** `do` as written in the plan; undefined if the task has none. */
  readonly task: { readonly id: string; readonly title: string; readonly do: string | undefined };
  /** Earlier directives in the task's tree. */
  readonly repairs: readonly Repair[];
}

/**
 * Why a repair operator's directive cannot be followed; null if it can. Skipping a task and asking a person are never
 * refused.
 */
export function checkDirective({ directive, task, repairs }: GivenDirective): string | null {
  const earlier = repairs.filter((repair) => repair.task === task.id).map((repair) => repair.directive);
  switch (directive.strategy) {
    case "retry":
      return earlier.some((other) => other.strategy === "retry" && isSame(other.adjustment, directive.adjustment))
        ? `task ${task.id} was already retried with this adjustment`
        : null;
    case "decompose":
      return earlier.some(({ strategy }) => strategy === "decompose")
        ? `task ${task.id} was already decomposed`
        : checkParts(directive.parts, task);
    case "prune":
    case "escalate":
      return null;
  }
}

/** Whether two texts say the same. Word order counts: "use A instead of B" differs from "use B instead of A". */
const isSame = (one: string, other: string): boolean => wordsOf(one).join(" ") === wordsOf(other).join(" ");

/** Separators of items in a title. */
const listing = /[,;&+]|\b(?:and|or|plus|then|with)\b/i;

/**
 * Reason to refuse parts: a part is not more specific than the task, or two parts say the same. Null if there is none.
 */
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

/** Whether a part takes some of the items that the title lists: "Add parser and printer" may become "Add parser". */
const isShareOf = (title: Words, part: Words, parts: readonly Words[]): boolean =>
  part.size > 0 && [...title].some((word) => !part.has(word) && parts.some((other) => other.has(word)));

const isWithin = (part: Words, whole: Words): boolean => [...part].every((word) => whole.has(word));
const isEqual = (one: Words, other: Words): boolean => one.size === other.size && isWithin(one, other);
