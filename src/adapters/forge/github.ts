import { setTimeout } from "node:timers/promises";
import type { z } from "zod";
import { interpreted, parseJson } from "../../model/parse-json.ts";
import type { Check } from "../../model/pull-request.ts";
import type { Done, Forge, Hindered, Refused } from "../../ports/forge.ts";
import { type CommentPage, commentPage, commentsForm, permissionForm, standForm, threadForm } from "./answer-forms.ts";
import { type Asker, halfAnswer, noAccess, openAsker, sayMessage } from "./ask.ts";
import type { Carrier } from "./carrier.ts";
import { fetchLog, rerunJob } from "./check-jobs.ts";
import { askFor, fetchBase, fetchLook, type RepositoryName } from "./fetch-look.ts";
import { findPullRequest, openPullRequest } from "./find-pull-request.ts";
import {
  autoMergeMutation,
  commentMutation,
  commentsQuery,
  readyMutation,
  replyMutation,
  resolveMutation,
  standQuery,
  threadQuery,
  updateMutation,
} from "./queries.ts";

interface GithubOptions {
  readonly repository: RepositoryName;
  readonly carrier: Carrier;
  readonly redact: (text: string) => string;
  /** Returns milliseconds since 1970 (the system's clock by default). */
  readonly now?: () => number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export function github({ repository, carrier, redact, now = Date.now, sleep = pause }: GithubOptions): Forge {
  const asker = openAsker({ carrier, now, sleep });
  const { owner, name } = repository;
  return {
    find: (branch, base, signal) => findPullRequest(asker, repository, { branch, base }, signal),
    open: (request, signal) => openPullRequest(asker, repository, request, signal),
    look: async (number, signal) => withoutSecrets(await fetchLook(asker, repository, number, signal), redact),
    lookAtBase: async (base, signal) => withoutSecrets(await fetchBase(asker, repository, base, signal), redact),
    log: (job, signal) => fetchLog(asker, repository, { job, redact }, signal),
    rerun: (check, signal) => rerunJob(asker, repository, check, signal),
    answer: (comment, signal) => writeAnswer(asker, repository, comment, signal),
    resolve: (thread, signal) => resolveThread(asker, thread, signal),
    async may(login, signal) {
      const path = `repos/${owner}/${name}/collaborators/${encodeURIComponent(login)}/permission`;
      const reply = await asker.rest({ method: "GET", path }, signal);
      if (reply.kind !== "reply") return reply;
      if (reply.status === 404) return { kind: "known", write: false };
      if (reply.status !== 200) return { kind: "refused", reason: sayMessage(reply.body), hint: noAccess };
      const read = permissionForm.safeParse(parseJson(reply.body), interpreted);
      if (!read.success) return halfAnswer(asker);
      return { kind: "known", write: ["write", "maintain", "admin"].includes(read.data.permission) };
    },
    ...changesOf(asker, repository),
  };
}

const pause = async (ms: number, signal: AbortSignal): Promise<void> => setTimeout(ms, undefined, { signal });

/** Remove secrets from the texts of checks, which come from the same programs as logs. */
function withoutSecrets<
  Answer extends { readonly kind: string; readonly look?: { readonly checks: readonly Check[] } },
>(answer: Answer, redact: (text: string) => string): Answer {
  const { look } = answer;
  if (look === undefined) return answer;
  const checks = look.checks.map((check) => ({ ...check, summary: check.summary && redact(check.summary) }));
  return { ...answer, look: { ...look, checks } };
}

type Stand = z.infer<typeof standForm>["repository"]["pullRequest"];
type Change = (stand: Stand) => { readonly mutation: string; readonly variables: object } | Refused | null;

/** Each change first checks whether it is already done. */
function changesOf(
  asker: Asker,
  repository: RepositoryName,
): Pick<Forge, "updateBranch" | "markReady" | "enableAutoMerge"> {
  const change = async (number: number, ask: Change, signal: AbortSignal): Promise<Done | Hindered | Refused> => {
    const answer = await askFor(
      asker,
      { query: standQuery, form: standForm, variables: { ...repository, number } },
      signal,
    );
    if (answer.kind !== "form") return answer;
    const asked = ask(answer.form.repository.pullRequest);
    if (asked === null) return { kind: "done" };
    if ("kind" in asked) return asked;
    const sent = await asker.query(asked.mutation, asked.variables, signal);
    return sent.kind === "data" ? { kind: "done" } : sent;
  };
  return {
    updateBranch: (number, head, signal) =>
      change(
        number,
        // If the branch has moved, an earlier call or another user has updated it, so do nothing.
        ({ id, headRefOid, mergeStateStatus }) =>
          headRefOid === head && mergeStateStatus === "BEHIND"
            ? { mutation: updateMutation, variables: { id, head } }
            : null,
        signal,
      ),
    markReady: (number, signal) =>
      change(number, ({ id, isDraft }) => (isDraft ? { mutation: readyMutation, variables: { id } } : null), signal),
    enableAutoMerge: ({ number, head, how }, signal) =>
      change(
        number,
        ({ id, headRefOid, autoMergeRequest }) => {
          if (headRefOid !== head) return movedBy(headRefOid);
          if (autoMergeRequest !== null) return null;
          return { mutation: autoMergeMutation, variables: { id, head, how: how.toUpperCase() } };
        },
        signal,
      ),
  };
}

const movedBy = (head: string): Refused => ({
  ...{ kind: "refused", reason: `the branch has a new last commit, ${head.slice(0, 12)}` },
  hint: "Check what was pushed, then run again",
});

type Answer = Parameters<Forge["answer"]>[0];
type Standing =
  | { readonly kind: "done" }
  | { readonly kind: "open"; readonly mutation: string; readonly variables: object };

/** Reply to a thread or, for a whole review, on the page of the pull request. Writes only one reply per marker. */
async function writeAnswer(
  asker: Asker,
  repository: RepositoryName,
  answer: Answer,
  signal: AbortSignal,
): ReturnType<Forge["answer"]> {
  const found = await findAnswer(asker, repository, answer, signal);
  if (found.kind !== "open") return found;
  const sent = await asker.query(found.mutation, found.variables, signal);
  return sent.kind === "data" ? { kind: "done" } : sent;
}

async function findAnswer(
  asker: Asker,
  repository: RepositoryName,
  { thread, number, text, marker }: Answer,
  signal: AbortSignal,
): Promise<Standing | Exclude<Awaited<ReturnType<Forge["answer"]>>, { kind: "done" }>> {
  const body = text.includes(marker) ? text : `${text}\n\n${marker}`;
  let after: string | null = null;
  let isThread = true;
  for (;;) {
    const answer = isThread
      ? await askFor(asker, { query: threadQuery, form: threadForm, variables: { id: thread, after } }, signal)
      : await askFor(
          asker,
          { query: commentsQuery, form: commentsForm, variables: { ...repository, number, after } },
          signal,
        );
    if (answer.kind !== "form") return answer;
    const { form } = answer;
    if ("node" in form && !("comments" in form.node)) {
      isThread = false;
      continue;
    }
    const page = commentPage.parse(
      "node" in form ? (form.node as { comments: unknown }).comments : form.repository.pullRequest.comments,
      interpreted,
    );
    if (isOurs(page, marker)) return { kind: "done" };
    if (!page.pageInfo.hasNextPage) {
      return "node" in form
        ? { kind: "open", mutation: replyMutation, variables: { thread, body } }
        : { kind: "open", mutation: commentMutation, variables: { subject: form.repository.pullRequest.id, body } };
    }
    after = page.pageInfo.endCursor;
  }
}

/** Return whether one of our own comments has the marker. A marker that another user wrote is ignored. */
const isOurs = ({ nodes }: CommentPage, marker: string): boolean =>
  nodes.some(({ viewerDidAuthor, body }) => viewerDidAuthor && body.includes(marker));

/** Resolve a thread. A whole review cannot be resolved. */
async function resolveThread(asker: Asker, thread: string, signal: AbortSignal): ReturnType<Forge["resolve"]> {
  const answer = await askFor(
    asker,
    { query: threadQuery, form: threadForm, variables: { id: thread, after: null } },
    signal,
  );
  if (answer.kind !== "form") return answer;
  const { node } = answer.form;
  if (!("comments" in node) || node.isResolved) return { kind: "done" };
  const sent = await asker.query(resolveMutation, { thread }, signal);
  return sent.kind === "data" ? { kind: "done" } : sent;
}
