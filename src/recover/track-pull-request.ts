import type { Answer, EffectName } from "../model/effect.ts";
import { type AddedTask, type Book, noBook } from "../model/pull-request-book.ts";

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
  return answer.kind === "green" ? afterGreen(book, answer.flaky) : book;
}
