import * as z from "zod";

/** Pull-request milestone of a plan task: opened, checks green, reviews answered, or all done. */
export type Milestone = "opened" | "checked" | "reviewed" | "confirmed";

const signs: readonly (readonly [Milestone, RegExp])[] = [
  ["confirmed", /\b(?:final|validat\w*|confirm\w*|complete|completion)\b/i],
  ["reviewed", /\b(?:reviews?|reviewers?|comments?|feedback)\b/i],
  ["checked", /\b(?:CI|checks?|pipelines?|green)\b/i],
  ["opened", /\b(?:create|open|raise|submit|push)\b/i],
];

/**
 * The milestone that a task's title names, the latest if it names several; null if it names none, as in ordinary work.
 */
export const milestoneIn = (title: string): Milestone | null => signs.find(([, sign]) => sign.test(title))?.[0] ?? null;

/** Marker that identifies a reply to a review comment; visible only in the reply's source. */
export const answerMarker = (task: string, comment: string): string =>
  `<!-- fixpoint:${task.replace(/[^\w.]/g, "").slice(0, 40)}${endOf(comment)}`;

/** Whether a text is a reply to a comment, for any task. */
export const isAnswerTo = (text: string, comment: string): boolean =>
  text.includes("<!-- fixpoint:") && text.includes(endOf(comment));

const endOf = (comment: string): string => `:${comment.replace(/[^\w=-]/g, "")} -->`;

/** State of a check: `cancelled` may be unrelated to the change, `blocked` never started. */
export const CheckState = z.enum(["pending", "passed", "failed", "cancelled", "blocked"]);
export type CheckState = z.infer<typeof CheckState>;

const time = z.number();
const text = z.string();

/** A check of one commit, by a forge or a service. */
export const Check = z.object({
  /** Stable id across commits: its workflow and name, or its name alone, as the forge reports it. */
  id: text,
  state: CheckState,
  /** Whether the check must pass before a merge. */
  required: z.boolean(),
  /** The forge's id of this run of the check; null if the check has no log and cannot be rerun. */
  job: text.nullable(),
  /** Time of the last change of `state`; null if unknown. */
  since: time.nullable(),
  /** The check's own summary in one line; null if there is none. */
  summary: text.nullable(),
  /** URL for people; null if there is none. */
  url: text.nullable(),
});
export type Check = z.infer<typeof Check>;

/** A comment. */
export const Comment = z.object({
  id: text,
  /** Login; null if the account is gone. */
  author: text.nullable(),
  /** Whether the author is a program. */
  bot: z.boolean(),
  body: text,
  at: time,
});
export type Comment = z.infer<typeof Comment>;

/** A review thread: comments on one place, oldest first. */
export const Thread = z.object({
  id: text,
  /** Path from the top of the repository; null for a whole review. */
  path: text.nullable(),
  line: z.int().nullable(),
  resolved: z.boolean(),
  comments: z.array(Comment),
});
export type Thread = z.infer<typeof Thread>;

/** The last review of a reviewer who approves or requests changes. */
export const Review = Comment.extend({ verdict: z.enum(["approved", "changes"]) });
export type Review = z.infer<typeof Review>;

/** State of a pull request at one moment, from one request to the forge. */
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
  /** Whether the branch is in another repository than the base. */
  fork: z.boolean(),
  /** Mergeability: `behind` if the base has moved and that blocks a merge; `unknown` while the forge computes it. */
  merge: z.enum(["clean", "behind", "conflicting", "unknown", "queued"]),
  /** The commit that the checks belong to; null if the forge does not report it. */
  checksOf: text.nullable(),
  checks: z.array(Check),
  threads: z.array(Thread),
  reviews: z.array(Review),
  /** Our own login; null if the forge does not report it. */
  viewer: text.nullable(),
  /** Whether we have write access to the base repository. */
  mayWrite: z.boolean(),
});
export type Look = z.infer<typeof Look>;

/** Checks of the base, to explain the checks of a pull request. */
export const BaseLook = z.object({
  head: text,
  /** Checks of the base's last commit. */
  checks: z.array(Check),
  /** Whether any of the base's last five commits has a check. */
  checked: z.boolean(),
});
export type BaseLook = z.infer<typeof BaseLook>;

/** Output of a check. */
export const CheckLog = z.object({
  /** The log, or its end; null if there is none. */
  log: text.nullable(),
  /** The failed step of the check; null if unknown. */
  step: text.nullable(),
  /** Annotations of the check, at most 10. */
  annotations: z.array(text),
});
export type CheckLog = z.infer<typeof CheckLog>;

/** Reason why a task is added for a pull request. */
export const Cause = z.discriminatedUnion("kind", [
  /** A check with this id is red at this head. */
  z.object({ kind: z.literal("check"), check: text, job: text.nullable(), head: text }),
  /** A thread or whole review needs an answer; `comment` is the last comment in it by a reviewer or trusted program. */
  z.object({ kind: z.literal("thread"), thread: text, comment: text, head: text }),
  /** This head has merge conflicts with this head of the base. */
  z.object({ kind: z.literal("conflict"), base: text, baseHead: text, head: text }),
]);
export type Cause = z.infer<typeof Cause>;

/** Result of an added task. */
export const AddedResult = z.object({
  /** Abbreviated hash of HEAD if the task moved it. */
  commit: text.nullable(),
  /** Final message of the task's last attempt; empty if stored elsewhere. */
  reply: text,
});
export type AddedResult = z.infer<typeof AddedResult>;

/** A task added for a pull request. */
export const AddedTask = z.object({
  cause: Cause,
  /** Checks that are red for the same reason, including the check of the cause; empty for other causes. */
  checks: z.array(text),
  /** Null until the task is done. */
  result: AddedResult.nullable(),
});
export type AddedTask = z.infer<typeof AddedTask>;

/** A run's knowledge of its pull request, and the run's actions on the pull request. */
export const Book = z.object({
  number: z.int().nullable(),
  url: text.nullable(),
  /** Full hash of the branch's last commit, as pushed or adopted by us; null before the first push. */
  head: text.nullable(),
  /** Time of the first push of this head, in milliseconds since 1970; null before that push. */
  pushedAt: z.number().nullable(),
  /** Time of the first push for this pull request, in milliseconds since 1970; null before that push. */
  since: z.number().nullable(),
  /** Added tasks, by id. */
  tasks: z.record(text, AddedTask),
  /** The head at which each check was last rerun. */
  reran: z.record(text, text),
  /** Checks that passed in a rerun at this head. */
  flaky: z.array(text),
  /** The last answered comment of each thread. */
  answered: z.record(text, text),
  /** Whether a look found nothing wrong at this head. */
  green: z.boolean(),
  /** Whether any look found nothing wrong. */
  greenOnce: z.boolean(),
  /** Reviewers who still request changes, from the last look. */
  requesting: z.array(text).optional(),
});
export type Book = z.infer<typeof Book>;

/** State before any work on a pull request. */
export const noBook: Book = {
  ...{ number: null, url: null, head: null, pushedAt: null, since: null },
  ...{ tasks: {}, reran: {}, flaky: [], answered: {}, green: false, greenOnce: false },
};

/** Tasks added for the same check, thread or conflict, at any head. */
export function tasksFor({ tasks }: Pick<Book, "tasks">, cause: Cause): [id: string, task: AddedTask][] {
  return Object.entries(tasks).filter(([, added]) => {
    if (cause.kind === "check") return added.checks.includes(cause.check);
    if (cause.kind === "thread") return added.cause.kind === "thread" && added.cause.thread === cause.thread;
    return added.cause.kind === "conflict";
  });
}

/** Whether a task was made for exactly this cause. */
export function isSameCause(one: Cause, { cause, checks }: Pick<AddedTask, "cause" | "checks">): boolean {
  if (one.kind === "check") return cause.kind === "check" && cause.head === one.head && checks.includes(one.check);
  if (one.kind === "thread")
    return cause.kind === "thread" && cause.thread === one.thread && cause.comment === one.comment;
  return cause.kind === "conflict" && cause.head === one.head && cause.baseHead === one.baseHead;
}

/** A phase of a plan about a pull request: a run does the tasks of the phase, but opens no pull request. */
export const PullRequestPhase = z.object({
  /** Text of the phase's heading. */
  title: z.string(),
  /** Number of tasks in the phase. */
  tasks: z.int().min(0),
  open: z.array(z.string()),
});
export type PullRequestPhase = z.infer<typeof PullRequestPhase>;
