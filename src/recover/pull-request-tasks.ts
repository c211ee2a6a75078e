import type { Answer, EffectName } from "../model/effect.ts";
import type { NewTask, Quote } from "../model/plan-change.ts";
import { type AddedTask, type Book, type Comment, noBook } from "../model/pull-request.ts";
import type { Task, TaskId } from "../model/task.ts";
import { clamp, lastOf, shorten } from "../model/text.ts";

type Placed = Pick<Task, "id" | "fixOf" | "parent">;

/** The task after which to write a new task: the last of the phase, else of the plan; null if there are no tasks. */
export function placeFor(tasks: readonly Placed[], phase: readonly TaskId[]): TaskId | null {
  const roots = tasks.filter(({ fixOf, parent }) => fixOf === null && parent === null).map(({ id }) => id);
  return roots.findLast((id) => phase.includes(id)) ?? roots.at(-1) ?? null;
}

/** A free id: one more than the highest number in the phase of the neighbour task. */
export function freeId(tasks: readonly Placed[], beside: TaskId): TaskId {
  const phase = /^(\d+)\.\d+$/.exec(beside)?.[1];
  const prefix = phase === undefined ? "PR" : `${phase}.`;
  const numbers = tasks.flatMap(({ id }) => {
    const rest = id.startsWith(prefix) ? id.slice(prefix.length) : "";
    return /^\d+$/.test(rest) ? [Number(rest)] : [];
  });
  return `${prefix}${Math.max(0, ...numbers) + 1}`;
}

const maxSummary = 60;
const maxText = 500;
/** Maximum length of a comment, and of the thread before it, in characters. */
const maxComment = 4000;
const maxEarlier = 1000;

/** Texts are untrusted. */
interface RedCheck {
  readonly check: string;
  readonly others: readonly string[];
  readonly error: string;
  readonly url: string | null;
  /** Paths that occur in both the check's log and the change; empty if there are none. */
  readonly files: readonly string[];
  readonly verify: string | null;
  readonly quotes: readonly Quote[];
}

export function taskForCheck(id: string, { check, others, error, url, files, verify, quotes }: RedCheck): NewTask {
  const summary = `${oneLine(check, maxSummary)} - ${shorten(error, maxSummary)}`;
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

/** Texts are untrusted. */
interface ReviewThread {
  readonly comment: Comment;
  /** Earlier comments of the thread, oldest first. */
  readonly before: readonly Comment[];
  /** Path in the repository; null for a whole review, or if the line no longer exists. */
  readonly path: string | null;
  readonly line: number | null;
}

export function taskForThread(id: string, { comment, before, path, line }: ReviewThread): NewTask {
  const who = oneLine(comment.author ?? "", 40);
  const text = withoutHidden(comment.body);
  const summary = shorten(text, maxSummary);
  const place = path === null ? "" : ` on ${inCode(line === null ? path : `${path}:${line}`)}`;
  return {
    id,
    markers: [],
    title: `Address review: ${who} - ${summary}`,
    fields: {
      do: [
        `Address the comment of a reviewer${place}.`,
        "1. Read the whole comment below",
        "2. Make the change and commit it, or change nothing and explain why",
      ].join("\n"),
      files: path === null ? "." : inCode(path),
      doneWhen: "The review comment is addressed, or answered with a reason",
      commit: `fix: address review - ${summary}`,
    },
    quotes: [
      { label: `The comment of ${who}:`, text: cut(text, maxComment) },
      { label: "The thread before it, oldest first:", text: renderThread(before) },
    ],
  };
}

/** Comments with their authors. Of a long thread, only the last comments are shown. */
function renderThread(comments: readonly Comment[]): string {
  const told = comments.map(({ author, body }) => `${author ?? "somebody"}:\n${cut(withoutHidden(body), maxEarlier)}`);
  const kept = lastOf(told, maxComment);
  const missing = told.length - kept.length;
  return [...(missing === 0 ? [] : [`… (${missing} earlier ones omitted)`]), ...kept].join("\n\n");
}

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

/** The text is encoded later, when it is written into the plan. */
const oneLine = (text: string, max: number): string => clamp(text.replace(/\s+/g, " ").trim(), max).trimEnd();
const inCode = (text: string, max = 120): string => oneLine(text, max).replaceAll("`", "'");

/** The beginning of a text, cut after a word. A text that was cut ends with `… (cut here)`. */
function cut(text: string, max: number): string {
  const start = clamp(text, max);
  if (start === text) return text;
  const end = /\s\S{0,80}$/.exec(start)?.index ?? start.length;
  return `${start.slice(0, end).trimEnd()}\n… (cut here)`;
}

/** Remove HTML comments, which people see only in the source. */
export const withoutHidden = (body: string): string => body.replace(/<!--[\s\S]*?(?:-->|$)/g, "");

function afterPush(book: Book, { head, at }: { readonly head: string; readonly at: number }): Book {
  if (head === book.head) return book;
  return { ...book, head, pushedAt: at, since: book.since ?? at, flaky: [], green: false };
}

/** Update after the pull request was found or opened. The data of a previous pull request is discarded. */
function afterOpening(book: Book, { number, url }: { readonly number: number; readonly url: string }): Book {
  if (book.number === number || book.number === null) return { ...book, number, url };
  const { head, pushedAt } = book;
  return { ...noBook, head, pushedAt, since: pushedAt, number, url };
}

const afterRerun = (book: Book, check: string): Book => ({
  ...book,
  reran: { ...book.reran, [check]: book.head as string },
});

/** Update before a task is added: the book contains the task even before the plan does. */
export const afterAdding = (book: Book, task: string, { cause, checks }: Pick<AddedTask, "cause" | "checks">): Book =>
  task in book.tasks ? book : { ...book, tasks: { ...book.tasks, [task]: { cause, checks, result: null } } };

/** Update after an added task is done; no effect for other tasks. */
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

/** Update the book with an answer of a forge or remote; unchanged if the answer has no effect on it. */
export function afterShipping(book: Book, answer: Answer<EffectName>): Book {
  if (answer.kind === "pushed" || answer.kind === "adopted") return afterPush(book, answer);
  if (answer.kind === "opened") return afterOpening(book, answer);
  if (answer.kind === "rerun") return afterRerun(book, answer.check);
  if (answer.kind === "answered") return afterAnswer(book, answer.thread, answer.comment);
  if (answer.kind === "confirmed" || "requesting" in answer) return { ...book, requesting: answer.requesting ?? [] };
  return answer.kind === "green" ? afterGreen(book, answer.flaky) : book;
}
