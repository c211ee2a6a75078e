import * as z from "zod";

/**
 * Milestone of a pull request, named by a task of the plan: `opened`; `checked`: checks are green; `reviewed`: reviews
 * are answered; `confirmed`: all of these are reached.
 */
export type Milestone = "opened" | "checked" | "reviewed" | "confirmed";

const signs: readonly (readonly [Milestone, RegExp])[] = [
  ["confirmed", /\b(?:final|validat\w*|confirm\w*|complete|completion)\b/i],
  ["reviewed", /\b(?:reviews?|reviewers?|comments?|feedback)\b/i],
  ["checked", /\b(?:CI|checks?|pipelines?|green)\b/i],
  ["opened", /\b(?:create|open|raise|submit|push)\b/i],
];

/** Milestone in the title of a task; the latest milestone if the title names several; null for ordinary work. */
export const milestoneIn = (title: string): Milestone | null => signs.find(([, sign]) => sign.test(title))?.[0] ?? null;

/** Invisible marker in the reply of a run to a review comment. */
export const answerMarker = (task: string, comment: string): string =>
  `<!-- fixpoint:${task.replace(/[^\w.]/g, "").slice(0, 40)}${endOf(comment)}`;

/** Whether a text contains the marker of a reply to this comment, by any task. */
export const isAnswerTo = (text: string, comment: string): boolean =>
  text.includes("<!-- fixpoint:") && text.includes(endOf(comment));

const endOf = (comment: string): string => `:${comment.replace(/[^\w=-]/g, "")} -->`;

/** `cancelled`: perhaps not because of the change; `blocked`: the check never started. */
export const CheckState = z.enum(["pending", "passed", "failed", "cancelled", "blocked"]);
export type CheckState = z.infer<typeof CheckState>;

const time = z.number();
const text = z.string();

export const Check = z.object({
  /** Id that is the same for every commit: workflow and name, or only the name, as the forge reports it. */
  id: text,
  state: CheckState,
  /** Whether the check must pass before a merge. */
  required: z.boolean(),
  /** Id of this run of the check at the forge; null if the run has no log and cannot be repeated. */
  job: text.nullable(),
  /** Time of the last change of `state`; null if unknown. */
  since: time.nullable(),
  /** The check's summary, one line; null if there is none. */
  summary: text.nullable(),
  url: text.nullable(),
});
export type Check = z.infer<typeof Check>;

export const Comment = z.object({
  id: text,
  /** Login; null if the account was deleted. */
  author: text.nullable(),
  bot: z.boolean(),
  body: text,
  at: time,
});
export type Comment = z.infer<typeof Comment>;

/** Comments on one place, oldest first. */
export const Thread = z.object({
  id: text,
  /** Path from the root of the repository; null for a whole review. */
  path: text.nullable(),
  line: z.int().nullable(),
  resolved: z.boolean(),
  comments: z.array(Comment),
});
export type Thread = z.infer<typeof Thread>;

/** Last review of a reviewer who approves or requests changes. */
export const Review = Comment.extend({ verdict: z.enum(["approved", "changes"]) });
export type Review = z.infer<typeof Review>;

/** State of a pull request at one moment, as the forge reports it in one response. */
export const Look = z.object({
  number: z.int(),
  url: text,
  state: z.enum(["open", "closed", "merged"]),
  draft: z.boolean(),
  /** Full hash of the branch's last commit. */
  head: text,
  branch: text,
  base: text,
  /** Full hash of the base's last commit. */
  baseHead: text,
  defaultBranch: text,
  /** Whether the branch is in another repository than the base. */
  fork: z.boolean(),
  /**
   * Whether the branch can be merged. `behind`: the base has moved, which prevents a merge; `unknown`: the forge is
   * computing it.
   */
  merge: z.enum(["clean", "behind", "conflicting", "unknown", "queued"]),
  /** Full hash of the commit that `checks` belong to; null if the forge does not report it. */
  checksOf: text.nullable(),
  checks: z.array(Check),
  threads: z.array(Thread),
  reviews: z.array(Review),
  /** Login of the account that fixpoint uses; null if the forge does not report it. */
  viewer: text.nullable(),
  /** Whether the account `viewer` may write to the repository of the base. */
  mayWrite: z.boolean(),
});
export type Look = z.infer<typeof Look>;

/** Checks of the base, which show which red checks the pull request did not cause. */
export const BaseLook = z.object({
  head: text,
  checks: z.array(Check),
  /** Whether any of the last five commits of the base has a check. */
  checked: z.boolean(),
});
export type BaseLook = z.infer<typeof BaseLook>;

export const CheckLog = z.object({
  /** The whole log or its end; null if there is none. */
  log: text.nullable(),
  /** Step of the check that failed; null if unknown. */
  step: text.nullable(),
  annotations: z.array(text),
});
export type CheckLog = z.infer<typeof CheckLog>;

/** Why a task is added for a pull request. */
export const Cause = z.discriminatedUnion("kind", [
  /** A check is red at `head`. */
  z.object({ kind: z.literal("check"), check: text, job: text.nullable(), head: text }),
  /**
   * A thread or a whole review needs an answer. `comment` is the last comment in it by a reviewer or a trusted program.
   */
  z.object({ kind: z.literal("thread"), thread: text, comment: text, head: text }),
  /** `head` has merge conflicts with `baseHead`. */
  z.object({ kind: z.literal("conflict"), base: text, baseHead: text, head: text }),
]);
export type Cause = z.infer<typeof Cause>;

export const AddedResult = z.object({
  /** Abbreviated hash of HEAD, if the task changed HEAD. */
  commit: text.nullable(),
  /** Final message of the last attempt; empty if the message is stored elsewhere. */
  reply: text,
});
export type AddedResult = z.infer<typeof AddedResult>;

export const AddedTask = z.object({
  cause: Cause,
  /** Ids of checks that are red for the same reason, with the check in `cause`; empty for other causes. */
  checks: z.array(text),
  /** Null until the task is done. */
  result: AddedResult.nullable(),
});
export type AddedTask = z.infer<typeof AddedTask>;

/** Facts that a run knows about its pull request, and actions that it has done. */
export const Book = z.object({
  number: z.int().nullable(),
  url: text.nullable(),
  /** Full hash of the branch's last commit that the run pushed or adopted; null before the first push. */
  head: text.nullable(),
  /** Time of the first push of `head`, in milliseconds since 1970; null before that push. */
  pushedAt: z.number().nullable(),
  /** Time of the first push for this pull request, in milliseconds since 1970; null before that push. */
  since: z.number().nullable(),
  tasks: z.record(text, AddedTask),
  /** Value of `head` at the last rerun of each check, by id of the check. */
  reran: z.record(text, text),
  /** Ids of checks that passed in a rerun at `head`. */
  flaky: z.array(text),
  /** Last comment that the run answered, by thread. */
  answered: z.record(text, text),
  /** Whether a look at `head` found nothing wrong. */
  green: z.boolean(),
  /** Whether any look found nothing wrong, at this or an earlier head. */
  greenOnce: z.boolean(),
  /** Reviewers who request changes, at the last look. */
  requesting: z.array(text).optional(),
});
export type Book = z.infer<typeof Book>;

export const noBook: Book = {
  ...{ number: null, url: null, head: null, pushedAt: null, since: null },
  ...{ tasks: {}, reran: {}, flaky: [], answered: {}, green: false, greenOnce: false },
};

export function tasksFor({ tasks }: Pick<Book, "tasks">, cause: Cause): [id: string, task: AddedTask][] {
  return Object.entries(tasks).filter(([, added]) => {
    if (cause.kind === "check") return added.checks.includes(cause.check);
    if (cause.kind === "thread") return added.cause.kind === "thread" && added.cause.thread === cause.thread;
    return added.cause.kind === "conflict";
  });
}

export function isSameCause(one: Cause, { cause, checks }: Pick<AddedTask, "cause" | "checks">): boolean {
  if (one.kind === "check") return cause.kind === "check" && cause.head === one.head && checks.includes(one.check);
  if (one.kind === "thread")
    return cause.kind === "thread" && cause.thread === one.thread && cause.comment === one.comment;
  return cause.kind === "conflict" && cause.head === one.head && cause.baseHead === one.baseHead;
}

/** A phase of the plan about a pull request. A run does the tasks of this phase, but opens no pull request. */
export const PullRequestPhase = z.object({
  title: z.string(),
  tasks: z.int().min(0),
  open: z.array(z.string()),
});
export type PullRequestPhase = z.infer<typeof PullRequestPhase>;
