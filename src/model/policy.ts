import * as z from "zod";
import { InputError } from "./errors.ts";
import { nearestName } from "./nearest-name.ts";
import { givesRight, limit, looksOnly, optionFacts, runsSomething, weakensCheck } from "./option-kind.ts";
import { PermissionLevel } from "./permissions.ts";
import { isLadder, Rung } from "./rung.ts";

/** What is committed after each accepted task: the files of the spec, or all that the attempt has left. */
export const CommitChoice = z.union([z.literal(false), z.enum(["spec", "all"])]);
export type CommitChoice = z.infer<typeof CommitChoice>;

const count = z.int().min(0);
const ms = z.int().min(1);

/**
 * Every limit and choice of a run and its default, in one place. Counts are delegations or fix tasks; durations
 * are milliseconds; null means no limit.
 *
 * @see docs/limits.md
 */
export const Policy = z.strictObject({
  /** Remedies in the order in which they are tried. */
  recovery: z
    .array(Rung)
    .min(1)
    .refine(isLadder, "expected each rung once, with pivot, research and checkpoint last and in this order")
    .default(["retry"])
    .describe("Remedies for a failed attempt, tried in this order")
    .register(optionFacts, limit()),
  maxTaskIterations: z
    .int()
    .min(1)
    .default(5)
    .describe("Tries of one task since the last progress, without those after a fix, a repair or a pivot")
    .register(
      optionFacts,
      limit({
        group: "limits",
        flags: "--max-task-iterations <n>",
        unit: "delegations",
        summary: "tries of one task; those after a fix, a repair or a pivot do not count",
      }),
    ),
  maxFixTasksPerOriginal: count
    .default(4)
    .describe("Fix tasks of one task since the last progress, fix tasks included")
    .register(
      optionFacts,
      limit({ group: "limits", flags: "--max-fix-tasks <n>", unit: "fix tasks", summary: "fix tasks of one task" }),
    ),
  maxFixTaskDepth: count
    .default(3)
    .describe("Generations of fixes below a root task")
    .register(
      optionFacts,
      limit({
        group: "limits",
        flags: "--max-fix-depth <n>",
        unit: "generations",
        summary: "how deep fixes of fixes may go",
      }),
    ),
  maxFixTasksPerRoot: count
    .default(9)
    .describe("Fix tasks in the whole tree of one root task")
    .register(
      optionFacts,
      limit({
        group: "limits",
        flags: "--max-fix-total <n>",
        unit: "fix tasks",
        summary: "fix tasks of one planned task and all its fixes",
      }),
    ),
  repairBudget: count
    .default(2)
    .describe("Directives of the repair operator for one planned task")
    .register(
      optionFacts,
      limit({
        group: "limits",
        flags: "--repair-budget <n>",
        unit: "directives",
        summary: "answers of the repair operator that are followed for one planned task",
      }),
    ),
  maxPivotAttempts: count
    .default(3)
    .describe("Delegations of one planned task with a different approach")
    .register(
      optionFacts,
      limit({
        group: "limits",
        flags: "--max-pivot-attempts <n>",
        unit: "delegations",
        summary: "tries of one planned task with a new approach",
      }),
    ),
  maxResearchAttempts: count
    .default(3)
    .describe("Delegations of one planned task after gathering context")
    .register(
      optionFacts,
      limit({
        group: "limits",
        flags: "--max-research-attempts <n>",
        unit: "delegations",
        summary: "tries of one planned task after research",
      }),
    ),
  maxTotalAttempts: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      "Attempts on one planned task at pivot and research, or without these its failed attempts; null: as many as pivot and research take, at least 10; without pivot, research and checkpoint no limit",
    )
    .register(
      optionFacts,
      limit({
        group: "limits",
        flags: "--max-total-attempts <n>",
        unit: "attempts",
        summary: "failed tries of one planned task and its fixes",
        unset: "10 or more with --escalation, else off",
        shown: "10 or off",
      }),
    ),
  stuckAfterSameErrors: z
    .int()
    .min(1)
    .default(5)
    .describe("Failures in a row without progress that mean stuck: no new minimum of failed checks, or one error")
    .register(
      optionFacts,
      limit({
        group: "recovery",
        flags: "--stuck-after-same-errors <n>",
        unit: "failures",
        summary: "failures in a row without progress that count as stuck",
      }),
    ),
  stuckAfterUnchanged: z
    .int()
    .min(1)
    .default(5)
    .describe("Failures in a row without a changed file that mean stuck")
    .register(
      optionFacts,
      limit({
        group: "recovery",
        flags: "--stuck-after-unchanged <n>",
        unit: "failures",
        summary: "failures in a row without a changed file that count as stuck",
      }),
    ),
  maxEvidence: z
    .int()
    .min(1000)
    .default(8000)
    .describe("Evidence of a failure in a prompt, in characters")
    .register(
      optionFacts,
      limit({
        group: "recovery",
        flags: "--max-evidence <characters>",
        unit: "text",
        summary: "how much of a failure a prompt shows",
      }),
    ),
  stuckReport: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe("Where a checkpoint writes its report, from the workspace; null: stuck-report.md in the spec's folder")
    .register(
      optionFacts,
      givesRight({
        group: "recovery",
        flags: "--stuck-report <path>",
        unit: "text",
        summary: "where the report goes when a run is stuck",
        unset: "stuck-report.md beside the plan",
        shown: "beside the plan",
        mayBeOff: false,
      }),
    ),
  maxGlobalIterations: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe("Delegations of the whole run; null: 100, or twice the tasks open at the start if that is more")
    .register(
      optionFacts,
      limit({
        group: "limits",
        flags: "--max-global-iterations <n>",
        unit: "delegations",
        summary: "delegations of the whole run",
        unset: "100, or twice the open tasks if that is more",
        shown: "100 or more",
        mayBeOff: false,
      }),
    ),
  maxRunTime: ms
    .nullable()
    .default(null)
    .describe("Working time of the whole run in milliseconds")
    .register(
      optionFacts,
      limit({
        group: "limits",
        flags: "--max-run-time <duration>",
        unit: "ms",
        summary: "working time of the whole run",
      }),
    ),
  maxCost: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe("Cost of the whole run in US dollars")
    .register(
      optionFacts,
      limit({
        group: "limits",
        flags: "--max-cost <usd>",
        unit: "US dollars",
        summary: "cost of the whole run, if the executors report it",
      }),
    ),
  maxTokens: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe("Tokens of the whole run, input and output")
    .register(
      optionFacts,
      limit({
        group: "limits",
        flags: "--max-tokens <n>",
        unit: "tokens",
        summary: "tokens of the whole run, such as 200k or 2m, if the executors report them",
      }),
    ),
  taskTimeout: ms
    .default(30 * 60_000)
    .describe("One delegation, in milliseconds")
    .register(
      optionFacts,
      limit({ group: "limits", flags: "--task-timeout <duration>", unit: "ms", summary: "time for one delegation" }),
    ),
  idleTimeout: ms
    .nullable()
    .default(null)
    .describe("Silence of an executor, in milliseconds")
    .register(
      optionFacts,
      limit({
        group: "limits",
        flags: "--idle-timeout <duration>",
        unit: "ms",
        summary: "stop an executor that prints nothing for this long",
        unset: "off; 10m for tools that stream",
        shown: "off",
      }),
    ),
  maxWait: ms
    .nullable()
    .default(6 * 60 * 60_000)
    .describe("Waits for executors that do not say when they can work again, for one reason in a row, in milliseconds")
    .register(
      optionFacts,
      limit({
        group: "limits",
        flags: "--max-wait <duration>",
        unit: "ms",
        summary: "how long to wait for an executor that does not say when it can work again",
      }),
    ),
  verifyTimeout: ms
    .default(10 * 60_000)
    .describe("One Verify command, in milliseconds")
    .register(
      optionFacts,
      limit({
        group: "limits",
        flags: "--verify-timeout <duration>",
        unit: "ms",
        summary: "time for one Verify command",
      }),
    ),
  trustExecutor: z
    .boolean()
    .default(false)
    .describe("Do not run Verify commands")
    .register(
      optionFacts,
      weakensCheck({
        group: "verification",
        flags: "--trust-executor",
        unit: "yes or no",
        summary: "do not run the tasks' Verify commands",
      }),
    ),
  requireExecutorTick: z
    .boolean()
    .default(false)
    .describe("Reject a completion whose executor did not tick its box")
    .register(
      optionFacts,
      weakensCheck({
        group: "verification",
        flags: "--require-executor-tick",
        unit: "yes or no",
        summary: "reject a task whose executor did not tick its box",
      }),
    ),
  requireCommit: z
    .boolean()
    .default(false)
    .describe("Reject a completion that leaves tasks.md or .progress.md uncommitted")
    .register(
      optionFacts,
      weakensCheck({
        group: "verification",
        flags: "--require-commit",
        unit: "yes or no",
        summary: "reject a task that leaves tasks.md or .progress.md uncommitted",
      }),
    ),
  permissions: PermissionLevel.default("tool")
    .describe("What known tools may do; tool: what their own settings say")
    .register(
      optionFacts,
      givesRight({
        group: "may",
        flags: "--permissions <level>",
        unit: "text",
        summary:
          "what the tool may do: tool (what its own settings allow), edit (write files, run Verify, commit) or full (everything)",
      }),
    ),
  commit: CommitChoice.or(z.literal(true).transform(() => "spec" as const))
    .default(false)
    .describe('What is committed after each accepted task; "spec": tasks.md and .progress.md, "all": the attempt, too')
    .register(
      optionFacts,
      givesRight({
        group: "may",
        flags: "--commit <what>",
        unit: "text",
        summary:
          "what to commit after each accepted task: spec (tasks.md and .progress.md) or all (also what the attempt left)",
      }),
    ),
  finalVerify: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe("Command that must pass before the run is complete")
    .register(
      optionFacts,
      runsSomething({
        group: "verification",
        flags: "--final-verify <command>",
        unit: "text",
        summary: "command that must pass before the run is complete",
      }),
    ),
  maxParallel: z
    .int()
    .min(1)
    .default(5)
    .describe("[P] tasks worked on at once")
    .register(
      optionFacts,
      limit({
        group: "limits",
        flags: "--max-parallel <n>",
        unit: "tasks",
        summary: "how many [P] tasks are worked on at once",
      }),
    ),
  scope: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe("Scope in the commit message of fix tasks")
    .register(
      optionFacts,
      looksOnly({
        group: "recovery",
        flags: "--scope <scope>",
        unit: "text",
        summary: "scope in the commit message of fix tasks",
        unset: "",
        shown: "off",
        mayBeOff: false,
      }),
    ),
});
export type Policy = z.infer<typeof Policy>;
/** A policy as a person writes it: any part of it. */
export type PolicyInput = z.input<typeof Policy>;

/** Policies that were completed here: machines hand theirs on to those they invoke. */
const whole = new WeakSet<object>();

/**
 * A whole policy from what was given of it. A field that is undefined was not given.
 *
 * @throws {InputError} `policy-invalid`
 */
export function readPolicy(given: PolicyInput = {}): Policy {
  if (whole.has(given)) return given as Policy;
  const parsed = Policy.safeParse(isRecord(given) ? withoutUndefined(given) : given);
  if (parsed.success) {
    whole.add(parsed.data);
    return parsed.data;
  }
  const misfits = parsed.error.issues.map(({ path, message }) => [...path, message].join(": "));
  const known = Object.keys(Policy.shape);
  const near = strangersIn(parsed.error).flatMap((stranger) => nearNames(stranger, known));
  throw new InputError(`Cannot use the policy, expected every limit to fit: ${misfits.join("; ")}`, {
    code: "policy-invalid",
    hint: near.length > 0 ? `Did you mean ${near.join(", ")}?` : "docs/limits.md lists what each limit takes",
    cause: parsed.error,
  });
}

const isRecord = (given: unknown): given is object => typeof given === "object" && given !== null;
const withoutUndefined = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

const strangersIn = ({ issues }: z.ZodError): string[] =>
  issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? issue.keys : []));

/** Names that begin with what was typed, else the one that is nearest. */
function nearNames(typed: string, known: readonly string[]): string[] {
  const starts = known.filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()));
  return starts.length > 0 ? starts : [nearestName(typed, known) ?? []].flat();
}
