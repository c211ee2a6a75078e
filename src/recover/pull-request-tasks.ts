import type { Answer, EffectName } from "../model/effect.ts";
import type { NewTask, Quote } from "../model/plan-change.ts";
import { type AddedTask, type Book, type Comment, noBook } from "../model/pull-request.ts";
import type { Task, TaskId } from "../model/task.ts";
import { clamp, lastOf } from "../model/text.ts";

type Placed = Pick<Task, "id" | "fixOf" | "parent">;

/** The task behind which another of the run is written: the last of its phase, else of the plan; null without any. */
export function placeFor(tasks: readonly Placed[], phase: readonly TaskId[]): TaskId | null {
  const roots = tasks.filter(({ fixOf, parent }) => fixOf === null && parent === null).map(({ id }) => id);
  return roots.findLast((id) => phase.includes(id)) ?? roots.at(-1) ?? null;
}

/** An id that no task has: the highest in the phase of the task beside it, and one more. */
export function freeId(tasks: readonly Placed[], beside: TaskId): TaskId {
  const phase = /^(\d+)\.\d+$/.exec(beside)?.[1];
  const prefix = phase === undefined ? "PR" : `${phase}.`;
  const numbers = tasks.flatMap(({ id }) => {
    const rest = id.startsWith(prefix) ? id.slice(prefix.length) : "";
    return /^\d+$/.test(rest) ? [Number(rest)] : [];
  });
  return `${prefix}${Math.max(0, ...numbers) + 1}`;
}

/** Characters of a title's summary, of an error in a step, and of a comment and the thread before it. */
const maxSummary = 60;
const maxText = 500;
const maxComment = 4000;
/** Characters of each comment before it. */
const maxEarlier = 1000;

/** What a task for a red check is made from. Every text is foreign. */
interface RedCheck {
  readonly check: string;
  /** Others that are red for the same reason. */
  readonly others: readonly string[];
  readonly error: string;
  /** Where a person finds it; null when nowhere. */
  readonly url: string | null;
  /** Paths that occur both in its log and in the change; none: `.`. */
  readonly files: readonly string[];
  /** Command that is to pass; null without one. */
  readonly verify: string | null;
  /** What failed, and what was tried at it before. */
  readonly quotes: readonly Quote[];
}

/** The task for a red check. */
export function taskForCheck(id: string, { check, others, error, url, files, verify, quotes }: RedCheck): NewTask {
  const summary = `${oneLine(check, maxSummary)} - ${summaryOf(error)}`;
  const all = [check, ...others].map((each) => inCode(each)).join(", ");
  const steps = [
    `Make ${all} pass on this branch.`,
    `1. Read the failure${url === null ? "" : ` (${inCode(url, maxText)})`}: ${oneLine(error, maxText)}`,
    "2. Reproduce it with the project's own command",
    "3. Fix the cause and commit; do not weaken the check or its workflow",
  ];
  return {
    id,
    markers: [],
    title: `Fix CI failure: ${summary}`,
    fields: {
      do: steps.join("\n"),
      files: files.length === 0 ? "." : files.map((path) => inCode(path)).join(", "),
      doneWhen: `${all} ${others.length === 0 ? "passes" : "pass"} on the head commit`,
      ...(verify !== null && { verify: `\`${verify}\`` }),
      commit: `fix: address CI failure - ${summary}`,
    },
    quotes,
  };
}

/** What a task for a review thread is made from. Every text is foreign. */
interface ReviewThread {
  readonly comment: Comment;
  /** What was said in the thread before it, oldest first. */
  readonly before: readonly Comment[];
  /** The place in the repository; null for a review as a whole, and for a line that is gone. */
  readonly path: string | null;
  readonly line: number | null;
}

/** The task for what a reviewer has written. */
export function taskForThread(id: string, { comment, before, path, line }: ReviewThread): NewTask {
  const who = oneLine(comment.author ?? "", 40);
  const text = withoutHidden(comment.body);
  const summary = summaryOf(text);
  const place = path === null ? "" : ` on ${inCode(line === null ? path : `${path}:${line}`)}`;
  return {
    id,
    markers: [],
    title: `Address review: ${who} - ${summary}`,
    fields: {
      do: [
        `Address what a reviewer has written${place}.`,
        "1. Read the whole comment below",
        "2. Make the change and commit it, or change nothing and end with the reason why not",
      ].join("\n"),
      files: path === null ? "." : inCode(path),
      doneWhen: "The review comment is addressed, or answered with a reason",
      commit: `fix: address review - ${summary}`,
    },
    quotes: [
      { label: `The comment of ${who}:`, text: cut(text, maxComment) },
      { label: "The thread before it, oldest first:", text: tellThread(before) },
    ],
  };
}

/** Comments with their authors, of a long thread the last ones. */
function tellThread(comments: readonly Comment[]): string {
  const told = comments.map(({ author, body }) => `${author ?? "somebody"}:\n${cut(withoutHidden(body), maxEarlier)}`);
  const kept = lastOf(told, maxComment);
  const missing = told.length - kept.length;
  return [...(missing === 0 ? [] : [`… (${missing} before these are left out)`]), ...kept].join("\n\n");
}

/** The task for a branch that cannot be merged. */
export const taskForConflict = (id: string, base: string, remote: string): NewTask => ({
  id,
  markers: [],
  title: `Resolve conflict with ${oneLine(base, maxSummary)}`,
  fields: {
    do: `Merge ${inCode(remote)}/${inCode(base)} into this branch, resolve the conflicts and commit the merge. Do not rebase, and push nothing.`,
    files: ".",
    doneWhen: `The branch holds ${inCode(remote)}/${inCode(base)} and no conflict is left`,
    commit: `fix: merge ${oneLine(base, maxSummary)}`,
  },
});

/** Where it is written, foreign text is made safe; here it only becomes short. */
const oneLine = (text: string, max: number): string => clamp(text.replace(/\s+/g, " ").trim(), max).trimEnd();
const inCode = (text: string, max = 120): string => oneLine(text, max).replaceAll("`", "'");

/** The first words of a text, whole ones, with a mark where there are more. */
function summaryOf(text: string): string {
  const line = oneLine(text, 2 * maxSummary);
  if ([...line].length <= maxSummary) return line;
  const start = clamp(line, maxSummary - 1);
  const end = start.lastIndexOf(" ");
  return `${(end < maxSummary / 2 ? start : start.slice(0, end)).trimEnd()}…`;
}

/** The beginning of a text, to the end of a word, with a mark where there is more. */
function cut(text: string, max: number): string {
  const start = clamp(text, max);
  if (start === text) return text;
  const end = /\s\S{0,80}$/.exec(start)?.index ?? start.length;
  return `${start.slice(0, end).trimEnd()}\n… (cut here: it goes on)`;
}

/** A comment without what only its source shows. */
export const withoutHidden = (body: string): string => body.replace(/<!--[\s\S]*?(?:-->|$)/g, "");

/** A head of ours is on the remote. */
function afterPush(book: Book, { head, at }: { readonly head: string; readonly at: number }): Book {
  if (head === book.head) return book;
  return { ...book, head, pushedAt: at, since: book.since ?? at, flaky: [], green: false };
}

/** It was found or opened. Where it is another one than before, nothing counts that was done for that. */
function afterOpening(book: Book, { number, url }: { readonly number: number; readonly url: string }): Book {
  if (book.number === number || book.number === null) return { ...book, number, url };
  const { head, pushedAt } = book;
  return { ...noBook, head, pushedAt, since: pushedAt, number, url };
}

const afterRerun = (book: Book, check: string): Book => ({
  ...book,
  reran: { ...book.reran, [check]: book.head as string },
});

/** A task is to be added: it counts before it stands in the plan. */
export const afterAdding = (book: Book, task: string, { cause, checks }: Pick<AddedTask, "cause" | "checks">): Book =>
  task in book.tasks ? book : { ...book, tasks: { ...book.tasks, [task]: { cause, checks, result: null } } };

/** A task that was added is done; nothing for any other. */
export function afterResult(book: Book, task: string, result: NonNullable<AddedTask["result"]>): Book {
  const added = Object.hasOwn(book.tasks, task) ? book.tasks[task] : undefined;
  return added === undefined ? book : { ...book, tasks: { ...book.tasks, [task]: { ...added, result } } };
}

const afterAnswer = (book: Book, thread: string, comment: string): Book => ({
  ...book,
  answered: { ...book.answered, [thread]: comment },
});

export const afterGreen = (book: Book, flaky: readonly string[]): Book => ({
  ...book,
  flaky: [...new Set([...book.flaky, ...flaky])],
  green: true,
  greenOnce: true,
});

/** What an answer of a forge or a remote means for the book: the same one where it means nothing. */
export function afterShipping(book: Book, answer: Answer<EffectName>): Book {
  if (answer.kind === "pushed" || answer.kind === "adopted") return afterPush(book, answer);
  if (answer.kind === "opened") return afterOpening(book, answer);
  if (answer.kind === "rerun") return afterRerun(book, answer.check);
  if (answer.kind === "answered") return afterAnswer(book, answer.thread, answer.comment);
  if (answer.kind === "confirmed" || "requesting" in answer) return { ...book, requesting: answer.requesting ?? [] };
  return answer.kind === "green" ? afterGreen(book, answer.flaky) : book;
}
