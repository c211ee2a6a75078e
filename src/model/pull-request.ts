import * as z from "zod";

/** How a check stands: `cancelled` may have nothing to do with the change, `blocked` never began its work. */
export const CheckState = z.enum(["pending", "passed", "failed", "cancelled", "blocked"]);
export type CheckState = z.infer<typeof CheckState>;

const time = z.number();
const text = z.string();

/** What a forge or a service says of one commit. */
export const Check = z.object({
  /** What it is known by from one commit to the next: its workflow and its name, or its name alone; as the forge has it. */
  id: text,
  state: CheckState,
  /** Whether it must pass before the pull request can be merged. */
  required: z.boolean(),
  /** What the forge knows this run of it by; null where it has no log and cannot be run again. */
  job: text.nullable(),
  /** Since when it is in that state; null where nobody says. */
  since: time.nullable(),
  /** What it says of itself in a line; null when nothing. */
  summary: text.nullable(),
  /** Where a person finds it; null when nowhere. */
  url: text.nullable(),
});
export type Check = z.infer<typeof Check>;

/** What somebody has written. */
export const Comment = z.object({
  id: text,
  /** Login; null for somebody who is gone. */
  author: text.nullable(),
  /** Whether that is a program. */
  bot: z.boolean(),
  body: text,
  at: time,
});
export type Comment = z.infer<typeof Comment>;

/** A review thread: comments on one place, oldest first. */
export const Thread = z.object({
  id: text,
  /** Path from the top of the repository; null for a review as a whole. */
  path: text.nullable(),
  line: z.int().nullable(),
  resolved: z.boolean(),
  comments: z.array(Comment),
});
export type Thread = z.infer<typeof Thread>;

/** The last word of a reviewer who approves or asks for changes. */
export const Review = Comment.extend({ verdict: z.enum(["approved", "changes"]) });
export type Review = z.infer<typeof Review>;

/** A pull request at one moment, as one request to the forge gives it. */
export const Look = z.object({
  number: z.int(),
  url: text,
  state: z.enum(["open", "closed", "merged"]),
  draft: z.boolean(),
  /** Full hash of the last commit of its branch. */
  head: text,
  branch: text,
  base: text,
  /** Full hash of the last commit of its base. */
  baseHead: text,
  defaultBranch: text,
  /** Whether its branch is in another repository than its base. */
  fork: z.boolean(),
  /** Whether it can be merged: `behind` where the base has moved and that blocks; `unknown` while the forge finds out. */
  merge: z.enum(["clean", "behind", "conflicting", "unknown", "queued"]),
  /** The commit that the checks are of; null when the forge tells of none. */
  checksOf: text.nullable(),
  checks: z.array(Check),
  threads: z.array(Thread),
  reviews: z.array(Review),
  /** Login of who we are to the forge; null where it does not say. */
  viewer: text.nullable(),
  /** Whether we may write into the repository of the base. */
  mayWrite: z.boolean(),
});
export type Look = z.infer<typeof Look>;

/** The checks of the base, where those of a pull request need an explanation. */
export const BaseLook = z.object({
  head: text,
  /** Those of its last commit. */
  checks: z.array(Check),
  /** Whether any of its last five commits has a check. */
  checked: z.boolean(),
});
export type BaseLook = z.infer<typeof BaseLook>;

/** What a check has printed. */
export const CheckLog = z.object({
  /** The log, or the end of it; null where there is none to be had. */
  log: text.nullable(),
  /** The step in it that failed; null where nobody says. */
  step: text.nullable(),
  /** Failures that the check itself points at, at most 10. */
  annotations: z.array(text),
});
export type CheckLog = z.infer<typeof CheckLog>;
