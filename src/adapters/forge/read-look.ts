import type { Check, CheckState, Comment, Look, Review, Thread } from "../../model/pull-request.ts";
import type { CheckForm, CheckRunForm, CommentPage, LookForm, ThreadForm } from "./answer-forms.ts";

type Form = LookForm["repository"]["pullRequest"];
type Author = CommentPage["nodes"][number]["author"];

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

/** Return the login of an author. GraphQL returns the login of a bot without its suffix. */
const loginOf = (author: Author): string | null => {
  if (author === null) return null;
  return author.__typename === "Bot" && !author.login.endsWith("[bot]") ? `${author.login}[bot]` : author.login;
};

function readReview({ id, body, state, submittedAt, author }: Gathered["reviews"][number]): Review[] {
  const verdict = ({ APPROVED: "approved", CHANGES_REQUESTED: "changes" } as const)[state];
  return verdict === undefined ? [] : [{ ...readComment({ id, body, at: submittedAt, author }), verdict }];
}

/**
 * Deduplicate the checks of a commit, because workflows may share job names. After a rerun, or a new number of a job,
 * the last run counts. If a job ran for two events, the worse run counts.
 */
export function readChecks(forms: readonly CheckForm[]): Check[] {
  const runs = new Map<string, { readonly check: Check; readonly order: number }>();
  for (const form of forms) {
    const check = form.__typename === "CheckRun" ? readRun(form) : readStatus(form);
    const { event, order } = form.__typename === "CheckRun" ? runOf(form) : { event: "", order: 0 };
    const key = JSON.stringify([check.id, event]);
    const other = runs.get(key);
    if (other === undefined || other.order <= order) runs.set(key, { check, order });
  }
  const checks = new Map<string, Check>();
  for (const { check } of runs.values()) {
    const other = checks.get(check.id);
    const worse = other === undefined || badness[check.state] > badness[other.state] ? check : other;
    checks.set(check.id, { ...worse, required: worse.required || check.required || other?.required === true });
  }
  return [...checks.values()];
}

const badness: Readonly<Record<CheckState, number>> = { passed: 0, pending: 1, cancelled: 2, blocked: 3, failed: 4 };

const runOf = ({ checkSuite, databaseId }: CheckRunForm): { event: string; order: number } => ({
  event: checkSuite?.workflowRun?.event ?? "",
  order: databaseId ?? 0,
});

function readRun(run: CheckRunForm): Check {
  const workflow = run.checkSuite?.workflowRun?.workflow.name;
  return {
    id: workflow === undefined ? run.name : `${workflow} / ${run.name}`,
    state: run.status === "COMPLETED" ? (conclusions[run.conclusion ?? ""] ?? "blocked") : "pending",
    required: run.isRequired,
    job: workflow === undefined || run.databaseId === null ? null : String(run.databaseId),
    since: timeOf(run.completedAt ?? run.startedAt),
    summary: run.title,
    url: run.detailsUrl,
  };
}

const conclusions: Readonly<Record<string, CheckState>> = {
  SUCCESS: "passed",
  NEUTRAL: "passed",
  SKIPPED: "passed",
  FAILURE: "failed",
  TIMED_OUT: "failed",
  CANCELLED: "cancelled",
  STALE: "cancelled",
  ACTION_REQUIRED: "blocked",
  STARTUP_FAILURE: "blocked",
};

const readStatus = (status: Extract<CheckForm, { __typename: "StatusContext" }>): Check => ({
  id: status.context,
  state: statuses[status.state] ?? "pending",
  required: status.isRequired,
  job: null,
  since: timeOf(status.createdAt),
  summary: status.description,
  url: status.targetUrl,
});

const statuses: Readonly<Record<string, CheckState>> = { SUCCESS: "passed", FAILURE: "failed", ERROR: "failed" };

/** Return milliseconds since 1970; null if the text is not a time. */
function timeOf(text: string | null): number | null {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
