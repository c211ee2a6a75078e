import { interpreted, parseJson } from "../../model/parse-json.ts";
import type { Forge, Hindered, Refused } from "../../ports/forge.ts";
import { annotationsForm, jobForm, jobsForm } from "./answer-forms.ts";
import { type Asker, halfAnswer, noAccess, sayMessage } from "./ask.ts";
import type { ForgeReply } from "./carrier.ts";
import type { RepositoryName } from "./fetch-look.ts";

const mostAnnotations = 10;

export async function fetchLog(
  asker: Asker,
  { owner, name }: RepositoryName,
  { job, redact }: { readonly job: string; readonly redact: (text: string) => string },
  signal: AbortSignal,
): ReturnType<Forge["log"]> {
  const at = `repos/${owner}/${name}`;
  const id = encodeURIComponent(job);
  const replies: ForgeReply[] = [];
  for (const path of [
    `${at}/actions/jobs/${id}`,
    `${at}/actions/jobs/${id}/logs`,
    `${at}/check-runs/${id}/annotations`,
  ]) {
    const reply = await asker.rest({ method: "GET", path }, signal);
    if (reply.kind !== "reply") return reply;
    replies.push(reply);
  }
  const [told, log, annotations] = replies;
  const steps = jobForm.safeParse(parseJson(told?.body ?? ""), interpreted).data?.steps ?? [];
  const points = annotationsForm.safeParse(parseJson(annotations?.body ?? ""), interpreted).data ?? [];
  return {
    kind: "log",
    log: log?.status === 200 ? redact(log.body.slice(-longestLog)) : null,
    step: steps.find(({ conclusion }) => conclusion === "failure" || conclusion === "timed_out")?.name ?? null,
    annotations: points
      .filter(({ annotation_level, message }) => annotation_level === "failure" && message !== null)
      .slice(0, mostAnnotations)
      .map(({ message, path, start_line: line }) =>
        redact(`${path ?? ""}${line === undefined ? "" : `:${line}`}: ${message}`),
      ),
  };
}

/** Maximum length of a log, in characters. The end is kept, because it shows the failure. */
const longestLog = 4 * 1024 * 1024;

/** Rerun a job, unless it was already rerun for this commit. */
export async function rerunJob(
  asker: Asker,
  { owner, name }: RepositoryName,
  { job, head }: { readonly job: string; readonly head: string },
  signal: AbortSignal,
): ReturnType<Forge["rerun"]> {
  const actions = `repos/${owner}/${name}/actions`;
  const path = `${actions}/jobs/${encodeURIComponent(job)}`;
  const told = await asker.rest({ method: "GET", path }, signal);
  if (told.kind !== "reply") return told;
  const read = jobForm.safeParse(parseJson(told.body), interpreted);
  if (told.status !== 200) return notRun(sayMessage(told.body));
  if (!read.success) return halfAnswer(asker);
  const { run_id: run, run_attempt: attempt = 1, head_sha: commit } = read.data;
  // If a person or this program has rerun the job for this commit, `attempt` is above 1.
  if (attempt > 1 || commit !== head) return { kind: "spent" };
  // A rerun has a new job id. So if the run has a later job, this job was already rerun.
  const last = await isLast(asker, { at: `${actions}/runs/${run}/jobs`, job }, signal);
  if (typeof last !== "boolean") return last;
  if (!last) return { kind: "spent" };
  const reply = await asker.rest({ method: "POST", path: `${path}/rerun` }, signal);
  if (reply.kind !== "reply") return reply;
  return reply.status === 201 ? { kind: "done" } : notRun(sayMessage(reply.body));
}

async function isLast(
  asker: Asker,
  { at, job }: { readonly at: string; readonly job: string },
  signal: AbortSignal,
): Promise<boolean | Hindered | Refused> {
  for (let page = 1, seen = 0; ; page += 1) {
    const reply = await asker.rest({ method: "GET", path: `${at}?filter=latest&per_page=100&page=${page}` }, signal);
    if (reply.kind !== "reply") return reply;
    if (reply.status !== 200) return notRun(sayMessage(reply.body));
    const read = jobsForm.safeParse(parseJson(reply.body), interpreted);
    if (!read.success) return halfAnswer(asker);
    const { jobs, total_count: total } = read.data;
    if (jobs.some(({ id }) => String(id) === job)) return true;
    seen += jobs.length;
    if (jobs.length === 0 || seen >= total) return false;
  }
}

const notRun = (reason: string): Refused => ({
  ...{ kind: "refused", reason: `the job was not rerun: ${reason}` },
  hint: `Rerun the job on its page, or give the token write access to actions. ${noAccess}`,
});
