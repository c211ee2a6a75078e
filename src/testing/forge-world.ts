import type { CheckState, Comment, Review, Thread } from "../model/pull-request.ts";
import type { NewPullRequest } from "../ports/forge.ts";

/** A check of a scripted forge. */
export interface ScriptedCheck {
  /** Its workflow and its name: `CI / test`. */
  readonly id: string;
  /** How each of its runs at one head ends; the last is that of all later ones. A flaky check: `["failed", "passed"]`. */
  readonly runs: readonly [CheckState, ...CheckState[]];
  /** Whether the base requires it (true by default). */
  readonly required?: boolean;
  /** What its job prints; none by default. */
  readonly log?: string;
  /** The step that fails; none by default. */
  readonly step?: string;
}

/** What a scripted forge is made of. */
export interface ForgeScript {
  /** Full hash of the last commit of a branch there; null where it has no such branch. */
  readonly headOf: (branch: string) => string | null;
  /** The checks of a commit; none by default. */
  readonly checks?: (head: string) => readonly ScriptedCheck[];
  /** Review threads that are there from the beginning; none by default. */
  readonly threads?: readonly Thread[];
  /** The last word of each reviewer; none by default. */
  readonly reviews?: readonly Review[];
  /** Logins that may write into the repository; none by default. */
  readonly writers?: readonly string[];
  /** Login of who asks (`bot` by default). */
  readonly viewer?: string;
  /** `main` by default. */
  readonly defaultBranch?: string;
  /** Milliseconds since 1970, for comments that are written (0 by default). */
  readonly now?: () => number;
  /** What an earlier one had (`keep` of its world), to go on with that. */
  readonly kept?: KeptForge;
}

/** What a scripted forge has, as JSON. */
export interface KeptForge {
  readonly pulls: readonly WorldPullRequest[];
  readonly threads: readonly Thread[];
  readonly jobs: readonly WorldJob[];
  /** How many comments were written there. */
  readonly comments: number;
}

/** A pull request in a scripted forge. A test may change it, as people do. */
export interface WorldPullRequest extends NewPullRequest {
  readonly number: number;
  draft: boolean;
  state: "open" | "closed" | "merged";
  autoMerge: "squash" | "merge" | "rebase" | null;
  /** Whether it can be merged (`clean` at first). */
  merge: "clean" | "behind" | "conflicting" | "unknown";
  /** What was said on it as a whole. */
  readonly comments: Comment[];
}

/** A run of a check. */
export interface WorldJob {
  /** What the forge knows it by; another one for each run. */
  readonly job: string;
  readonly head: string;
  /** 1 for the first run. */
  readonly attempt: number;
  readonly check: ScriptedCheck;
  readonly state: CheckState;
}

/** A forge in memory: what pull requests, checks and threads it has. */
export interface ForgeWorld {
  readonly script: Required<Omit<ForgeScript, "threads" | "kept">>;
  readonly pulls: WorldPullRequest[];
  readonly threads: { -readonly [Field in keyof Thread]: Thread[Field] }[];
  open(request: NewPullRequest): WorldPullRequest;
  /** The last run of each check of a commit. */
  jobsAt(head: string): readonly WorldJob[];
  /** A run of a check of which was told before. */
  findJob(job: string): WorldJob | null;
  /** Run the check of a job again. */
  rerun(job: WorldJob): void;
  /** Write into a thread, or on a pull request as a whole. */
  say(where: { comments: Comment[] }, body: string, author?: string): Comment;
  /** All that it has, for a forge in another process that goes on with it. */
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
        // A script may say something else of a commit by now.
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
