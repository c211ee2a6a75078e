import * as z from "zod";

const text = z.string();

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
