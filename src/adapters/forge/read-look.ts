import type { Comment, Look, Review, Thread } from "../../model/pull-request.ts";
import type { CheckForm, CommentPage, LookForm, ThreadForm } from "./answer-forms.ts";
import { readChecks, timeOf } from "./read-checks.ts";

type Form = LookForm["repository"]["pullRequest"];
type Author = CommentPage["nodes"][number]["author"];

/** What was gathered of a pull request from all of its pages. */
export interface Gathered {
  readonly number: number;
  readonly form: LookForm;
  readonly checks: readonly CheckForm[];
  readonly threads: readonly ThreadForm[];
  readonly reviews: Form["latestOpinionatedReviews"]["nodes"];
}

export function readLook({ number, form: { viewer, repository }, checks, threads, reviews }: Gathered): Look {
  const { pullRequest: found, defaultBranchRef, viewerPermission } = repository;
  return {
    number,
    url: found.url,
    state: stateOf(found.state),
    draft: found.isDraft,
    head: found.headRefOid,
    branch: found.headRefName,
    base: found.baseRefName,
    baseHead: found.baseRefOid,
    defaultBranch: defaultBranchRef?.name ?? "",
    fork: found.isCrossRepository,
    merge: mergeOf(found),
    checksOf: found.commits.nodes[0]?.commit.oid ?? null,
    checks: readChecks(checks),
    threads: threads.map(readThread),
    reviews: reviews.flatMap(readReview),
    viewer: viewer.login,
    mayWrite: ["WRITE", "MAINTAIN", "ADMIN"].includes(viewerPermission ?? ""),
  };
}

export const stateOf = (state: "OPEN" | "CLOSED" | "MERGED"): Look["state"] =>
  (({ OPEN: "open", CLOSED: "closed", MERGED: "merged" }) as const)[state];

function mergeOf({ mergeable, mergeStateStatus, isInMergeQueue }: Form): Look["merge"] {
  if (isInMergeQueue) return "queued";
  if (mergeable === "CONFLICTING" || mergeStateStatus === "DIRTY") return "conflicting";
  if (mergeable === "UNKNOWN") return "unknown";
  return mergeStateStatus === "BEHIND" ? "behind" : "clean";
}

const readThread = ({ id, path, line, isResolved, comments }: ThreadForm): Thread => ({
  ...{ id, path, line, resolved: isResolved },
  comments: comments.nodes.map(({ id, body, createdAt, author }) => readComment({ id, body, at: createdAt, author })),
});

const readComment = (from: { id: string; body: string; at: string | null; author: Author }): Comment => ({
  id: from.id,
  author: loginOf(from.author),
  bot: from.author?.__typename === "Bot",
  body: from.body,
  at: timeOf(from.at) ?? 0,
});

/** A program has the ending that its login has everywhere but in GraphQL. */
const loginOf = (author: Author): string | null => {
  if (author === null) return null;
  return author.__typename === "Bot" && !author.login.endsWith("[bot]") ? `${author.login}[bot]` : author.login;
};

function readReview({ id, body, state, submittedAt, author }: Gathered["reviews"][number]): Review[] {
  const verdict = ({ APPROVED: "approved", CHANGES_REQUESTED: "changes" } as const)[state];
  return verdict === undefined ? [] : [{ ...readComment({ id, body, at: submittedAt, author }), verdict }];
}
