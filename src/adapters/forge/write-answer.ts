import { interpreted } from "../../model/interpreted.ts";
import type { Forge } from "../../ports/forge.ts";
import { type CommentPage, commentPage, commentsForm, threadForm } from "./answer-forms.ts";
import type { Asker } from "./ask.ts";
import { askFor, type RepositoryName } from "./fetch-look.ts";
import { commentMutation, commentsQuery, replyMutation, resolveMutation, threadQuery } from "./queries.ts";

type Answer = Parameters<Forge["answer"]>[0];
/** Answered already, or where an answer goes. */
type Standing =
  | { readonly kind: "done" }
  | { readonly kind: "open"; readonly mutation: string; readonly variables: object };

/** Answer a thread, or a review as a whole on the page of the pull request: once for each marker. */
export async function writeAnswer(
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

/** A marker that somebody else has written is none. */
const isOurs = ({ nodes }: CommentPage, marker: string): boolean =>
  nodes.some(({ viewerDidAuthor, body }) => viewerDidAuthor && body.includes(marker));

/** Resolve a thread; a review as a whole has nothing to resolve. */
export async function resolveThread(asker: Asker, thread: string, signal: AbortSignal): ReturnType<Forge["resolve"]> {
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
