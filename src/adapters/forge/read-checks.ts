import type { Check, CheckState } from "../../model/pull-request.ts";
import type { CheckForm, CheckRunForm } from "./answer-forms.ts";

/**
 * The checks of a commit, each once: two workflows may have jobs of one name; a job that was run again, or that has come
 * again under another number, counts by its last run; where it runs for two events, the worse run counts.
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

/** In milliseconds; null for what is no time. */
export function timeOf(text: string | null): number | null {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
