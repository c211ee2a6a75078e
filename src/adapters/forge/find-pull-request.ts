import { interpreted, parseJson } from "../../model/parse-json.ts";
import type { Forge, FoundPullRequest, NewPullRequest, Refused } from "../../ports/forge.ts";
import { findForm, openedForm } from "./answer-forms.ts";
import { type Asker, halfAnswer, sayMessage } from "./ask.ts";
import { askFor, type RepositoryName } from "./fetch-look.ts";
import { findQuery } from "./queries.ts";
import { stateOf } from "./read-look.ts";

/** Find the pull request of a branch. Prefers open pull requests, then those with the given base branch. */
export async function findPullRequest(
  asker: Asker,
  repository: RepositoryName,
  { branch, base }: { readonly branch: string; readonly base: string | null },
  signal: AbortSignal,
): ReturnType<Forge["find"]> {
  const answer = await askFor(
    asker,
    { query: findQuery, form: findForm, variables: { ...repository, branch } },
    signal,
  );
  if (answer.kind !== "form") return answer;
  const all = answer.form.repository.pullRequests.nodes
    .filter(({ isCrossRepository }) => !isCrossRepository)
    .map(
      ({ number, url, state, headRefOid, baseRefName }): FoundPullRequest => ({
        ...{ kind: "found", number, url, head: headRefOid, base: baseRefName, state: stateOf(state) },
      }),
    );
  const open = all.filter(({ state }) => state === "open");
  const own = open.find((each) => each.base === base);
  if (own === undefined && open.length > 1) return { kind: "several", numbers: open.map(({ number }) => number) };
  return own ?? open[0] ?? all[0] ?? { kind: "none" };
}

/**
 * Open a pull request, unless the branch has one. A person, or an earlier request whose response was lost, may have
 * opened it.
 */
export async function openPullRequest(
  asker: Asker,
  { owner, name }: RepositoryName,
  { branch, base, title, body, draft }: NewPullRequest,
  signal: AbortSignal,
): ReturnType<Forge["open"]> {
  const there = async (): Promise<Awaited<ReturnType<Forge["open"]>> | null> => {
    const found = await findPullRequest(asker, { owner, name }, { branch, base }, signal);
    if (found.kind === "hindered" || found.kind === "refused") return found;
    return found.kind === "found" && found.state === "open" && found.base === base
      ? { ...found, created: false }
      : null;
  };
  const before = await there();
  if (before !== null) return before;
  const request = {
    method: "POST",
    path: `repos/${owner}/${name}/pulls`,
    body: { title, head: branch, base, body, draft },
  } as const;
  const reply = await asker.rest(request, signal);
  if (reply.kind !== "reply") return reply;
  const read = openedForm.safeParse(parseJson(reply.body), interpreted);
  if (reply.status === 201 && read.success) {
    const { number, html_url: url, head } = read.data;
    return { ...{ kind: "found", number, url, head: head.sha, base, state: "open", created: true } };
  }
  const message = sayMessage(reply.body);
  const isThere = reply.status === 201 || /already exists/.test(message);
  const found = isThere ? await there() : null;
  if (found !== null) return found;
  return reply.status === 201 ? halfAnswer(asker) : notOpened(reply.status, message);
}

const notOpened = (status: number, message: string): Refused => ({
  kind: "refused",
  reason: `the forge did not open a pull request (${status}): ${message}`,
  hint:
    status === 422
      ? "Check that the base exists, and that the branch has commits beyond it"
      : "Check that the token may write pull requests of the repository (scope `repo`)",
});

export interface ForgeAddress extends RepositoryName {
  readonly host: string;
}

/**
 * Parse the repository in a remote URL: `https://github.com/ann/shop.git`, `git@github.com:ann/shop`,
 * `ssh://git@github.com:22/ann/shop`. Null for any other text, such as a path.
 */
export function readRemoteAddress(url: string): ForgeAddress | null {
  const { host, path } = (addressForm.exec(url) ?? shortForm.exec(url))?.groups ?? {};
  const { owner, name } =
    /^(?<owner>[\w.-]{1,100})\/(?<name>[\w.-]{1,100}?)(?:\.git)?\/?$/.exec(path ?? "")?.groups ?? {};
  if (host === undefined || owner === undefined || name === undefined) return null;
  return { host: host.toLowerCase(), owner, name };
}

const addressForm =
  /^(?:https?|ssh|git):\/\/(?:[^@/\s]{1,500}@)?(?<host>[\w.-]{1,200})(?::\d{1,5})?\/(?<path>.{1,300})$/;
/** The form of ssh URLs that scp uses. */
const shortForm = /^(?:[\w.-]{1,100}@)?(?<host>[\w-]{1,100}\.[\w.-]{1,100}):(?<path>[^/].{1,300})$/;

/** Parse `ann/shop` or `github.com/ann/shop`, as in `GH_REPO`. Null for any other text. */
export function readRepositoryName(text: string): ForgeAddress | null {
  const {
    host = "github.com",
    owner,
    name,
  } = /^(?:(?<host>[\w.-]{1,200})\/)?(?<owner>[\w.-]{1,100})\/(?<name>[\w.-]{1,100})$/.exec(text)?.groups ?? {};
  return owner === undefined || name === undefined ? null : { host, owner, name };
}
