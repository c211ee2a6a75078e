import { type Comment, isAnswerTo, type Look, type Thread } from "../model/pull-request.ts";

/** A thread, and its last comment that `isHeard` accepts. */
interface OpenThread {
  readonly thread: Pick<Thread, "id" | "path" | "line">;
  readonly comment: Comment;
}

/**
 * Unresolved threads that have a comment by someone with access, and no reply from this or an earlier run. A request
 * for changes is treated as a thread of one comment. A request without a text is ignored, since its own threads say
 * what to do.
 *
 * @param writers Logins with write access to the repository.
 * @param trusted Logins of trusted programs.
 */
export function openThreads(look: Look, writers: ReadonlySet<string>, trusted: readonly string[]): OpenThread[] {
  const counts = isHeard(look, writers, trusted);
  const inThreads = look.threads.flatMap(({ resolved, comments, ...thread }) => {
    const comment = comments.findLast(counts);
    if (resolved || comment === undefined) return [];
    const isAnswered = comments.some(({ author, body }) => author === look.viewer && isAnswerTo(body, comment.id));
    return isAnswered ? [] : [{ thread, comment }];
  });
  const asWhole = look.reviews.flatMap(({ verdict, ...comment }) =>
    verdict === "changes" && comment.body.trim() !== "" && counts(comment)
      ? [{ thread: { id: comment.id, path: null, line: null }, comment }]
      : [],
  );
  return [...inThreads, ...asWhole];
}

/**
 * Whether the author of a comment counts: a person with write access or a trusted program, but not this run's own
 * login.
 */
export const isHeard =
  ({ viewer }: Pick<Look, "viewer">, writers: ReadonlySet<string>, trusted: readonly string[]) =>
  ({ author, bot }: Pick<Comment, "author" | "bot">): boolean =>
    author !== null && author !== viewer && (bot ? isNamed(trusted, author) : writers.has(author));

/** Reviewers whose last review requests changes, and who have write access or are trusted. */
export const requestingIn = (look: Look, writers: ReadonlySet<string>, trusted: readonly string[]): string[] => [
  ...new Set(
    look.reviews
      .filter((review) => review.verdict === "changes" && isHeard(look, writers, trusted)(review))
      .map(({ author }) => author as string),
  ),
];

/** Whether a login is on the list of trusted logins. GitHub omits `[bot]` in some places. */
const isNamed = (trusted: readonly string[], author: string): boolean =>
  trusted.some((name) => bare(name) === bare(author));
const bare = (name: string): string => name.replace(/\[bot\]$/, "").toLowerCase();

/** People whose access must be queried: authors of comments in open threads, and reviewers who request changes. */
export const authorsIn = (look: Look): string[] => [
  ...new Set(
    [
      ...look.threads.filter(({ resolved }) => !resolved).flatMap(({ comments }) => comments),
      ...look.reviews.filter(({ verdict }) => verdict === "changes"),
    ].flatMap(({ author, bot }) => (author === null || bot || author === look.viewer ? [] : [author])),
  ),
];

export function isTrustedThread(thread: Pick<Thread, "comments"> | undefined, trusted: readonly string[]): boolean {
  const first = thread?.comments[0];
  return first?.bot === true && first.author !== null && isNamed(trusted, first.author);
}
