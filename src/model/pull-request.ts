import * as z from "zod";

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

/** By which an answer to a review comment is found again; only its source shows it. */
export const answerMarker = (task: string, comment: string): string =>
  `<!-- fixpoint:${task.replace(/[^\w.]/g, "").slice(0, 40)}${endOf(comment)}`;

/** Whether a text is an answer to a comment, given for whatever task. */
export const isAnswerTo = (text: string, comment: string): boolean =>
  text.includes("<!-- fixpoint:") && text.includes(endOf(comment));

const endOf = (comment: string): string => `:${comment.replace(/[^\w=-]/g, "")} -->`;

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

/** Why a task is added for a pull request. */
export const Cause = z.discriminatedUnion("kind", [
  /** A check of that id is red at that head. */
  z.object({ kind: z.literal("check"), check: text, job: text.nullable(), head: text }),
  /** A thread, or a review as a whole, has that comment as its last of somebody who counts. */
  z.object({ kind: z.literal("thread"), thread: text, comment: text, head: text }),
  /** That head cannot be merged into that head of the base. */
  z.object({ kind: z.literal("conflict"), base: text, baseHead: text, head: text }),
]);
export type Cause = z.infer<typeof Cause>;

/** What came of a task that was added. */
export const AddedResult = z.object({
  /** Abbreviated hash of HEAD where it has moved it. */
  commit: text.nullable(),
  /** The final message of its last attempt; empty where that is kept elsewhere. */
  reply: text,
});
export type AddedResult = z.infer<typeof AddedResult>;

/** A task that was added for a pull request. */
export const AddedTask = z.object({
  cause: Cause,
  /** Checks that are red for the same reason, the one of the cause among them; none for other causes. */
  checks: z.array(text),
  /** Null until it is done. */
  result: AddedResult.nullable(),
});
export type AddedTask = z.infer<typeof AddedTask>;

/** What a run knows of its pull request and has done for it. */
export const Book = z.object({
  number: z.int().nullable(),
  url: text.nullable(),
  /** Full hash of the last commit of its branch, as we pushed it or took it over; null before the first push. */
  head: text.nullable(),
  /** When that was first pushed, and when the first of all was, in milliseconds since 1970. */
  pushedAt: z.number().nullable(),
  since: z.number().nullable(),
  /** Tasks that were added, by their ids. */
  tasks: z.record(text, AddedTask),
  /** The head at which each check was run again last. */
  reran: z.record(text, text),
  /** Checks that have passed when they were run again at this head. */
  flaky: z.array(text),
  /** The comment of each thread that was answered last. */
  answered: z.record(text, text),
  /** Whether a look has found nothing wrong: at this head, and ever. */
  green: z.boolean(),
  greenOnce: z.boolean(),
  /** Reviewers who still request changes, as the last look has found. */
  requesting: z.array(text).optional(),
});
export type Book = z.infer<typeof Book>;

/** A pull request before anything is done for it. */
export const noBook: Book = {
  ...{ number: null, url: null, head: null, pushedAt: null, since: null },
  ...{ tasks: {}, reran: {}, flaky: [], answered: {}, green: false, greenOnce: false },
};

/** Tasks that were added for the same thing, whatever the head: a check, a thread, or conflicts. */
export function tasksFor({ tasks }: Pick<Book, "tasks">, cause: Cause): [id: string, task: AddedTask][] {
  return Object.entries(tasks).filter(([, added]) => {
    if (cause.kind === "check") return added.checks.includes(cause.check);
    if (cause.kind === "thread") return added.cause.kind === "thread" && added.cause.thread === cause.thread;
    return added.cause.kind === "conflict";
  });
}

/** Whether a task was made for exactly that. */
export function isSameCause(one: Cause, { cause, checks }: Pick<AddedTask, "cause" | "checks">): boolean {
  if (one.kind === "check") return cause.kind === "check" && cause.head === one.head && checks.includes(one.check);
  if (one.kind === "thread")
    return cause.kind === "thread" && cause.thread === one.thread && cause.comment === one.comment;
  return cause.kind === "conflict" && cause.head === one.head && cause.baseHead === one.baseHead;
}

/** A phase of a plan about a pull request: a run does its tasks, but opens no pull request for it. */
export const PullRequestPhase = z.object({
  /** As its heading has it. */
  title: z.string(),
  /** How many it has. */
  tasks: z.int().min(0),
  open: z.array(z.string()),
});
export type PullRequestPhase = z.infer<typeof PullRequestPhase>;
