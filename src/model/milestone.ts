/** What a task of a plan says of its pull request: it is opened, its checks are green, its reviews seen to, all is done. */
export type Milestone = "opened" | "checked" | "reviewed" | "confirmed";

const signs: readonly (readonly [Milestone, RegExp])[] = [
  ["confirmed", /\b(?:final|validat\w*|confirm\w*|complete|completion)\b/i],
  ["reviewed", /\b(?:reviews?|reviewers?|comments?|feedback)\b/i],
  ["checked", /\b(?:CI|checks?|pipelines?|green)\b/i],
  ["opened", /\b(?:create|open|raise|submit|push)\b/i],
];

/** The milestone that a title names, the latest of several; null when it names none: such a task is work. */
export const milestoneIn = (title: string): Milestone | null => signs.find(([, sign]) => sign.test(title))?.[0] ?? null;
