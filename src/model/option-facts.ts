import * as z from "zod";
import { Policy } from "./policy.ts";

/**
 * What an option does to a run: bounds it, runs a program, weakens or adds to what is checked, gives a right, or
 * changes only what is shown. A file of the workspace may set looks by itself, and limits up to their defaults; the rest
 * takes the consent of a person.
 */
const OptionKind = z.enum(["limit", "runs something", "weakens a check", "gives a right", "looks only"]);
type OptionKind = z.infer<typeof OptionKind>;

/** How a setting is given on the command line. */
export interface OptionFlag {
  /** The heading of the help that it stands below. */
  readonly group: "may" | "recovery" | "limits" | "verification";
  /** With what it takes: `--max-cost <usd>`; a switch takes nothing. */
  readonly flags: string;
  /** What it counts or takes, for tables. */
  readonly unit: string;
  /** A line of the help, without the default. */
  readonly summary: string;
  /** What holds where nothing is set, for the help; `off` when not given. Empty: the help does not say. */
  readonly unset?: string;
  /** The same for tables; the default when not given. */
  readonly shown?: string;
  /** Whether `off` unsets it; as its schema takes null when not given. */
  readonly mayBeOff?: boolean;
}

/** What is known of an option beside its values and its default. */
export interface OptionFacts {
  readonly kind: OptionKind;
  readonly flag?: OptionFlag;
}

/** What is known of every option that has been declared. */
export const optionFacts = z.registry<OptionFacts>();

type Facts = (flag?: OptionFlag) => OptionFacts;
const of =
  (kind: OptionKind): Facts =>
  (flag) => ({ kind, ...(flag !== undefined && { flag }) });

export const limit = of("limit");
export const runsSomething = of("runs something");
export const weakensCheck = of("weakens a check");
export const givesRight = of("gives a right");
export const looksOnly = of("looks only");

/** What is known of the fields of a policy. Machines and decisions do without: bundles of theirs leave it out. */
const policyFacts: { readonly [Name in keyof Policy]: OptionFacts } = {
  recovery: limit(),
  maxTaskIterations: limit({
    group: "limits",
    flags: "--max-task-iterations <n>",
    unit: "delegations",
    summary: "tries of one task; those after a fix, a repair or a pivot do not count",
  }),
  maxFixTasksPerOriginal: limit({
    group: "limits",
    flags: "--max-fix-tasks <n>",
    unit: "fix tasks",
    summary: "fix tasks of one task",
  }),
  maxFixTaskDepth: limit({
    group: "limits",
    flags: "--max-fix-depth <n>",
    unit: "generations",
    summary: "how deep fixes of fixes may go",
  }),
  maxFixTasksPerRoot: limit({
    group: "limits",
    flags: "--max-fix-total <n>",
    unit: "fix tasks",
    summary: "fix tasks of one planned task and all its fixes",
  }),
  repairBudget: limit({
    group: "limits",
    flags: "--repair-budget <n>",
    unit: "directives",
    summary: "answers of the repair operator that are followed for one planned task",
  }),
  maxPivotAttempts: limit({
    group: "limits",
    flags: "--max-pivot-attempts <n>",
    unit: "delegations",
    summary: "tries of one planned task with a new approach",
  }),
  maxResearchAttempts: limit({
    group: "limits",
    flags: "--max-research-attempts <n>",
    unit: "delegations",
    summary: "tries of one planned task after research",
  }),
  maxTotalAttempts: limit({
    group: "limits",
    flags: "--max-total-attempts <n>",
    unit: "attempts",
    summary: "attempts of one planned task at pivot and research; without these rungs, its failed attempts",
    unset: "10 or more with --escalation, else off",
    shown: "10 or off",
  }),
  stuckAfterSameErrors: limit({
    group: "recovery",
    flags: "--stuck-after-same-errors <n>",
    unit: "failures",
    summary: "failures in a row without progress that count as stuck",
  }),
  stuckAfterUnchanged: limit({
    group: "recovery",
    flags: "--stuck-after-unchanged <n>",
    unit: "failures",
    summary: "failures in a row without a changed file that count as stuck",
  }),
  maxEvidence: limit({
    group: "recovery",
    flags: "--max-evidence <characters>",
    unit: "text",
    summary: "how much of a failure a prompt shows",
  }),
  stuckReport: givesRight({
    group: "recovery",
    flags: "--stuck-report <path>",
    unit: "text",
    summary: "where the report goes when a run is stuck",
    unset: "stuck-report.md beside the plan",
    shown: "beside the plan",
    mayBeOff: false,
  }),
  maxGlobalIterations: limit({
    group: "limits",
    flags: "--max-global-iterations <n>",
    unit: "delegations",
    summary: "delegations of the whole run",
    unset: "100, or twice the open tasks if that is more",
    shown: "100 or more",
    mayBeOff: false,
  }),
  maxRunTime: limit({
    group: "limits",
    flags: "--max-run-time <duration>",
    unit: "ms",
    summary: "working time of the whole run",
  }),
  maxCost: limit({
    group: "limits",
    flags: "--max-cost <usd>",
    unit: "US dollars",
    summary: "cost of the whole run, if the executors report it",
  }),
  maxTokens: limit({
    group: "limits",
    flags: "--max-tokens <n>",
    unit: "tokens",
    summary: "tokens of the whole run, such as 200k or 2m, if the executors report them",
  }),
  taskTimeout: limit({
    group: "limits",
    flags: "--task-timeout <duration>",
    unit: "ms",
    summary: "time for one delegation",
  }),
  idleTimeout: limit({
    group: "limits",
    flags: "--idle-timeout <duration>",
    unit: "ms",
    summary: "stop an executor that prints nothing for this long",
    unset: "off; 10m for tools that stream",
    shown: "off",
  }),
  maxOutput: limit({
    group: "limits",
    flags: "--max-output <size>",
    unit: "bytes",
    summary: "stop an executor or a Verify command that prints more than this, such as 256m or 10g",
  }),
  maxWait: limit({
    group: "limits",
    flags: "--max-wait <duration>",
    unit: "ms",
    summary: "how long to wait for an executor that does not say when it can work again",
  }),
  verifyTimeout: limit({
    group: "limits",
    flags: "--verify-timeout <duration>",
    unit: "ms",
    summary: "time for one Verify command",
  }),
  trustExecutor: weakensCheck({
    group: "verification",
    flags: "--trust-executor",
    unit: "yes or no",
    summary: "do not run the tasks' Verify commands",
  }),
  requireExecutorTick: weakensCheck({
    group: "verification",
    flags: "--require-executor-tick",
    unit: "yes or no",
    summary: "reject a task whose executor did not tick its box",
  }),
  requireCommit: weakensCheck({
    group: "verification",
    flags: "--require-commit",
    unit: "yes or no",
    summary: "reject a task that leaves tasks.md or .progress.md uncommitted",
  }),
  permissions: givesRight({
    group: "may",
    flags: "--permissions <level>",
    unit: "text",
    summary:
      "what the tool may do: tool (what its own settings allow), edit (write files, run Verify, commit) or full (everything)",
  }),
  commit: givesRight({
    group: "may",
    flags: "--commit <what>",
    unit: "text",
    summary:
      "what to commit after each accepted task: spec (tasks.md and .progress.md) or all (also what the attempt left)",
  }),
  finalVerify: runsSomething({
    group: "verification",
    flags: "--final-verify <command>",
    unit: "text",
    summary: "command that must pass before the run is complete",
  }),
  maxParallel: limit({
    group: "limits",
    flags: "--max-parallel <n>",
    unit: "tasks",
    summary: "how many [P] tasks are worked on at once",
  }),
  scope: looksOnly({
    group: "recovery",
    flags: "--scope <scope>",
    unit: "text",
    summary: "scope in the commit message of fix tasks",
    unset: "",
    shown: "off",
    mayBeOff: false,
  }),
  pullRequest: givesRight(),
};
for (const [name, facts] of Object.entries(policyFacts)) optionFacts.add(Policy.shape[name as keyof Policy], facts);

/** Whether an option bounds a run: above its default it takes consent when a file of the workspace sets it. */
export const isLimit = (option: z.ZodType | undefined): boolean =>
  option !== undefined && optionFacts.get(option)?.kind === "limit";

/** Whether an option takes consent, whatever its value, when a file of the workspace sets it. An option without a kind does. */
export function needsConsent(option: z.ZodType | undefined): boolean {
  const kind = option === undefined ? undefined : optionFacts.get(option)?.kind;
  return kind !== "limit" && kind !== "looks only";
}
