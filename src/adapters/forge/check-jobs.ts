import type { Forge, Refused } from "../../ports/forge.ts";
import { annotationsForm, jobForm } from "./answer-forms.ts";
import { type Asker, noAccess, parse, sayMessage } from "./ask.ts";
import type { ForgeReply } from "./carrier.ts";
import type { RepositoryName } from "./fetch-look.ts";

/** Annotations of a check that are read. */
const mostAnnotations = 10;

/** The log of a job of GitHub Actions, and what its check points at. */
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
  const steps = jobForm.safeParse(parse(told?.body ?? "")).data?.steps ?? [];
  const points = annotationsForm.safeParse(parse(annotations?.body ?? "")).data ?? [];
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

/** Characters of a log that are given; its end tells what failed. */
const longestLog = 4 * 1024 * 1024;

/** Run a job again that has run once for this commit. */
export async function rerunJob(
  asker: Asker,
  { owner, name }: RepositoryName,
  { job, head }: { readonly job: string; readonly head: string },
  signal: AbortSignal,
): ReturnType<Forge["rerun"]> {
  const path = `repos/${owner}/${name}/actions/jobs/${encodeURIComponent(job)}`;
  const told = await asker.rest({ method: "GET", path }, signal);
  if (told.kind !== "reply") return told;
  const read = jobForm.safeParse(parse(told.body));
  if (told.status !== 200) return notRun(sayMessage(told.body));
  if (!read.success) return { kind: "hindered", reason: "busy", until: asker.now() + 30_000, detail: "half an answer" };
  // Every later run of a job of this commit, ours or a person's, has a number above 1.
  if ((read.data.run_attempt ?? 1) > 1 || read.data.head_sha !== head) return { kind: "spent" };
  const reply = await asker.rest({ method: "POST", path: `${path}/rerun` }, signal);
  if (reply.kind !== "reply") return reply;
  return reply.status === 201 ? { kind: "done" } : notRun(sayMessage(reply.body));
}

const notRun = (reason: string): Refused => ({
  ...{ kind: "refused", reason: `the job is not run again: ${reason}` },
  hint: `Run it again on its page, or give the token the right to write actions. ${noAccess}`,
});
