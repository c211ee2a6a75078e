import type { z } from "zod";
import { interpreted } from "../../model/parse-json.ts";
import type { BaseLook, Look } from "../../model/pull-request.ts";
import type { Hindered, Refused } from "../../ports/forge.ts";
import { baseForm, type CheckForm, lookForm, type ThreadForm, threadForm } from "./answer-forms.ts";
import { type Asker, halfAnswer } from "./ask.ts";
import { baseQuery, lookQuery, threadQuery } from "./queries.ts";
import { type Gathered, readChecks, readLook } from "./read-look.ts";

export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

export type Asked<Form extends z.ZodType> =
  | { readonly kind: "form"; readonly form: z.infer<Form> }
  | Hindered
  | Refused;

/** Send a query and validate the response. An incomplete response gives `Hindered`. */
export async function askFor<Form extends z.ZodType>(
  asker: Asker,
  { query, form, variables }: { readonly query: string; readonly form: Form; readonly variables: object },
  signal: AbortSignal,
): Promise<Asked<Form>> {
  const answer = await asker.query(query, variables, signal);
  if (answer.kind !== "data") return answer;
  const read = form.safeParse(answer.data, interpreted);
  if (read.success) return { kind: "form", form: read.data };
  return halfAnswer(asker, read.error.issues[0]?.path.join(".") ?? "");
}

/** Fetch a whole pull request: one request, and one more for each further page. All pages must have the same head. */
export async function fetchLook(
  asker: Asker,
  repository: RepositoryName,
  number: number,
  signal: AbortSignal,
): Promise<{ readonly kind: "look"; readonly look: Look } | Hindered | Refused> {
  let cursors: Cursors = {};
  let head: string | null = null;
  const checks: CheckForm[] = [];
  const threads = new Map<string, ThreadForm>();
  const reviews = new Map<string, Gathered["reviews"][number]>();
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await askFor(
      asker,
      { query: lookQuery, form: lookForm, variables: { ...repository, number, ...cursors } },
      signal,
    );
    if (answer.kind !== "form") return answer;
    const { form } = answer;
    const { pullRequest } = form.repository;
    if (head !== null && head !== pullRequest.headRefOid) {
      return {
        ...{ kind: "hindered", reason: "busy", until: asker.now() },
        detail: "the branch got new commits while its pull request was read",
      };
    }
    head = pullRequest.headRefOid;
    const contexts = pullRequest.commits.nodes[0]?.commit.statusCheckRollup?.contexts;
    if (page === 0 || cursors.checks !== undefined) checks.push(...(contexts?.nodes ?? []));
    for (const review of pullRequest.latestOpinionatedReviews.nodes) reviews.set(review.id, review);
    for (const thread of pullRequest.reviewThreads.nodes) {
      if (threads.has(thread.id)) continue;
      const whole = await wholeThread(asker, thread, signal);
      if (whole.kind !== "thread") return whole;
      threads.set(thread.id, whole.thread);
    }
    const next = nextOf({
      checks: contexts?.pageInfo,
      threads: pullRequest.reviewThreads.pageInfo,
      reviews: pullRequest.latestOpinionatedReviews.pageInfo,
    });
    if (next === null) {
      const all = { number, form, checks, threads: [...threads.values()], reviews: [...reviews.values()] };
      return { kind: "look", look: readLook(all) };
    }
    cursors = next;
  }
  return {
    kind: "refused",
    reason: "the pull request has too many checks or threads",
    hint: "Close it and open a new one",
  };
}

const mostPages = 100;

interface Cursors {
  readonly checks?: string;
  readonly threads?: string;
  readonly reviews?: string;
}
type PageInfo = { readonly hasNextPage: boolean; readonly endCursor: string | null } | undefined;

function nextOf(pages: Readonly<Record<keyof Cursors, PageInfo>>): Cursors | null {
  if (!Object.values(pages).some((page) => page?.hasNextPage === true)) return null;
  // A finished list keeps its last cursor: without a cursor, its first page would be fetched again.
  return Object.fromEntries(
    Object.entries(pages).flatMap(([name, page]) => (page?.endCursor == null ? [] : [[name, page.endCursor]])),
  );
}

/** Fetch all comments of a thread: a late comment may revoke an early one. */
async function wholeThread(
  asker: Asker,
  thread: ThreadForm,
  signal: AbortSignal,
): Promise<{ readonly kind: "thread"; readonly thread: ThreadForm } | Hindered | Refused> {
  let { pageInfo, nodes } = thread.comments;
  while (pageInfo.hasNextPage) {
    const answer = await askFor(
      asker,
      { query: threadQuery, form: threadForm, variables: { id: thread.id, after: pageInfo.endCursor } },
      signal,
    );
    if (answer.kind !== "form") return answer;
    const { node } = answer.form;
    if (!("comments" in node)) break;
    ({ pageInfo } = node.comments);
    nodes = [...nodes, ...node.comments.nodes];
  }
  return { kind: "thread", thread: { ...thread, comments: { pageInfo, nodes } } };
}

export async function fetchBase(
  asker: Asker,
  repository: RepositoryName,
  base: string,
  signal: AbortSignal,
): Promise<{ readonly kind: "base"; readonly look: BaseLook } | Hindered | Refused> {
  const checks: CheckForm[] = [];
  let after: string | null = null;
  for (;;) {
    const variables: object = { ...repository, ref: `refs/heads/${base}`, checks: after };
    const answer: Asked<typeof baseForm> = await askFor(asker, { query: baseQuery, form: baseForm, variables }, signal);
    if (answer.kind !== "form") return answer;
    const { ref } = answer.form.repository;
    if (ref === null) {
      return { kind: "refused", reason: `the forge has no branch \`${base}\``, hint: "Name another base with --base" };
    }
    const { oid, statusCheckRollup, history } = ref.target;
    checks.push(...(statusCheckRollup?.contexts.nodes ?? []));
    const page: PageInfo = statusCheckRollup?.contexts.pageInfo;
    if (page?.hasNextPage !== true) {
      const checked = history.nodes.some(({ statusCheckRollup }) => statusCheckRollup !== null);
      return { kind: "base", look: { head: oid, checks: readChecks(checks), checked } };
    }
    after = page.endCursor;
  }
}
