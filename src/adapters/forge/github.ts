import { setTimeout } from "node:timers/promises";
import { interpreted } from "../../model/interpreted.ts";
import type { Check } from "../../model/pull-request.ts";
import type { Forge } from "../../ports/forge.ts";
import { permissionForm } from "./answer-forms.ts";
import { noAccess, openAsker, parse, sayMessage } from "./ask.ts";
import type { Carrier } from "./carrier.ts";
import { changesOf } from "./change-pull-request.ts";
import { fetchLog, rerunJob } from "./check-jobs.ts";
import { fetchBase, fetchLook, type RepositoryName } from "./fetch-look.ts";
import { findPullRequest, openPullRequest } from "./find-pull-request.ts";
import { resolveThread, writeAnswer } from "./write-answer.ts";

export interface GithubOptions {
  readonly repository: RepositoryName;
  readonly carrier: Carrier;
  /** Takes secrets out of what is read of logs. */
  readonly redact: (text: string) => string;
  /** Milliseconds since 1970 (the system's clock by default). */
  readonly now?: () => number;
  /** A pause (a timer by default). */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Pull requests of a repository on GitHub, or on an enterprise host of it. */
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
      const read = permissionForm.safeParse(parse(reply.body), interpreted);
      if (!read.success) return { kind: "hindered", reason: "busy", until: now() + 30_000, detail: "half an answer" };
      return { kind: "known", write: ["write", "maintain", "admin"].includes(read.data.permission) };
    },
    ...changesOf(asker, repository),
  };
}

const pause = async (ms: number, signal: AbortSignal): Promise<void> => setTimeout(ms, undefined, { signal });

/** What checks say of themselves comes out of the same programs as their logs. */
function withoutSecrets<
  Answer extends { readonly kind: string; readonly look?: { readonly checks: readonly Check[] } },
>(answer: Answer, redact: (text: string) => string): Answer {
  const { look } = answer;
  if (look === undefined) return answer;
  const checks = look.checks.map((check) => ({ ...check, summary: check.summary && redact(check.summary) }));
  return { ...answer, look: { ...look, checks } };
}
