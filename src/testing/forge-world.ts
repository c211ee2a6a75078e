import type { CheckState, Comment, Review, Thread } from "../model/pull-request.ts";
import type { NewPullRequest } from "../ports/forge.ts";

export interface ScriptedCheck {
  /** Workflow and name of the check: `CI / test`. */
  readonly id: string;
  /** The result of each run at one head; further runs repeat the last result. A flaky check: `["failed", "passed"]`. */
  readonly runs: readonly [CheckState, ...CheckState[]];
  /** Whether the base requires the check (true by default). */
  readonly required?: boolean;
  /** Output of the job; none by default. */
  readonly log?: string;
  /** The failing step; none by default. */
  readonly step?: string;
}

/** Configuration of a scripted forge. */
export interface ForgeScript {
  /** Full hash of a remote branch's last commit; null if the branch does not exist. */
  readonly headOf: (branch: string) => string | null;
  /** Checks of a commit; none by default. */
  readonly checks?: (head: string) => readonly ScriptedCheck[];
  /** Initial review threads; none by default. */
  readonly threads?: readonly Thread[];
  /** The last review of each reviewer; none by default. */
  readonly reviews?: readonly Review[];
  /** Logins with write access to the repository; none by default. */
  readonly writers?: readonly string[];
  /** Login of the caller (`bot` by default). */
  readonly viewer?: string;
  /** `main` by default. */
  readonly defaultBranch?: string;
  /** Milliseconds since 1970, for new comments (0 by default). */
  readonly now?: () => number;
  /** State of an earlier forge to continue with, as returned by `keep` of its world. */
  readonly kept?: KeptForge;
}

/** State of a scripted forge, as JSON. */
export interface KeptForge {
  readonly pulls: readonly WorldPullRequest[];
  readonly threads: readonly Thread[];
  readonly jobs: readonly WorldJob[];
  /** Number of comments written on this forge, from which ids of new comments are made. */
  readonly comments: number;
}

/** A pull request in a scripted forge. A test may change the pull request, as people do. */
export interface WorldPullRequest extends NewPullRequest {
  readonly number: number;
  draft: boolean;
  state: "open" | "closed" | "merged";
  autoMerge: "squash" | "merge" | "rebase" | null;
  /** Mergeability (`clean` at first). */
  merge: "clean" | "behind" | "conflicting" | "unknown";
  /** Comments on the whole pull request. */
  readonly comments: Comment[];
}

/** A run of a check. */
export interface WorldJob {
  /** Id of the job; new for each run of a check. */
  readonly job: string;
  readonly head: string;
  /** Number of this run of the check, from 1. */
  readonly attempt: number;
  readonly check: ScriptedCheck;
  readonly state: CheckState;
}

/** State of an in-memory forge: pull requests, checks and threads. */
export interface ForgeWorld {
  readonly script: Required<Omit<ForgeScript, "threads" | "kept">>;
  readonly pulls: WorldPullRequest[];
  readonly threads: { -readonly [Field in keyof Thread]: Thread[Field] }[];
  open(request: NewPullRequest): WorldPullRequest;
  /** Find the last run of each check of a commit; checks that have not run yet are run. */
  jobsAt(head: string): readonly WorldJob[];
  /** Find a run of a check by its job; null if there is none. */
  findJob(job: string): WorldJob | null;
  rerun(job: WorldJob): void;
  /** Add a comment to a thread, or to a whole pull request. */
  say(where: { comments: Comment[] }, body: string, author?: string): Comment;
  /** Copy the whole state, for a forge in another process that continues with it. */
  keep(): KeptForge;
}

/** @internal */
export function forgeWorld({
  threads: scripted = [],
  kept = { pulls: [], threads: scripted, jobs: [], comments: 0 },
  ...given
}: ForgeScript): ForgeWorld {
  const script = {
    ...{ checks: () => [], reviews: [], writers: [], viewer: "bot", defaultBranch: "main", now: () => 0 },
    ...given,
  };
  const pulls = structuredClone([...kept.pulls]);
  const threads = structuredClone([...kept.threads]);
  const jobs = structuredClone([...kept.jobs]);
  let { comments } = kept;
  const run = (check: ScriptedCheck, head: string, attempt: number): WorldJob => {
    const state = check.runs[Math.min(attempt, check.runs.length) - 1] ?? check.runs[0];
    const job = { job: String(jobs.length + 1), head, attempt, check, state };
    jobs.push(job);
    return job;
  };
  return {
    ...{ script, pulls, threads },
    keep: () => structuredClone({ pulls, threads, jobs, comments }),
    open: (request) => {
      const own = { ...request, number: pulls.length + 1, state: "open", autoMerge: null, merge: "clean" } as const;
      const opened: WorldPullRequest = { ...own, comments: [] };
      pulls.push(opened);
      return opened;
    },
    jobsAt: (head) =>
      script.checks(head).map((check) => {
        const last = jobs.findLast((each) => each.head === head && each.check.id === check.id);
        if (last === undefined) return run(check, head, 1);
        // The script's checks for a commit may have changed.
        return { ...last, check, state: check.runs[Math.min(last.attempt, check.runs.length) - 1] ?? last.state };
      }),
    findJob: (job) => jobs.find((each) => each.job === job) ?? null,
    rerun: ({ check, head, attempt }) => void run(check, head, attempt + 1),
    say: (where, body, author = script.viewer) => {
      comments += 1;
      const comment = { id: `said-${comments}`, author, bot: false, body, at: script.now() };
      where.comments.push(comment);
      return comment;
    },
  };
}
