import * as z from "zod";
import { InputError } from "./errors.ts";
import { interpreted } from "./interpreted.ts";
import { nearestName } from "./nearest-name.ts";
import { PermissionLevel } from "./permissions.ts";
import { PullRequestPolicy } from "./pull-request-policy.ts";
import { isLadder, Rung } from "./rung.ts";

/** What is committed after each accepted task: the files of the spec, or all that the attempt has left. */
export const CommitChoice = z.union([z.literal(false), z.enum(["spec", "all"])]);
export type CommitChoice = z.infer<typeof CommitChoice>;

const count = z.int().min(0);
const ms = z.int().min(1);

/** The limits and choices of a run that are one value each. */
export const PolicyValues = z.strictObject({
  /** Remedies in the order in which they are tried. */
  recovery: z
    .array(Rung)
    .min(1)
    .refine(isLadder, "expected each rung once, with pivot, research and checkpoint last and in this order")
    .default(["retry"])
    .describe("Remedies for a failed attempt, in this order"),
  maxTaskIterations: z
    .int()
    .min(1)
    .default(5)
    .describe("Tries of one task since the last progress, not those after a fix, a repair or a pivot"),
  maxFixTasksPerOriginal: count.default(4).describe("Fix tasks of one task since the last progress"),
  maxFixTaskDepth: count.default(3).describe("Generations of fixes below a root task"),
  maxFixTasksPerRoot: count.default(9).describe("Fix tasks in the whole tree of one root task"),
  repairBudget: count.default(2).describe("Directives of a repair operator for one planned task"),
  maxPivotAttempts: count.default(3).describe("Delegations of one planned task with a different approach"),
  maxResearchAttempts: count.default(3).describe("Delegations of one planned task after research"),
  maxTotalAttempts: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      "With pivot or research: attempts of one planned task on those two rungs. Without them: failed attempts of it and its fixes. null: no limit; with pivot, research or checkpoint the sum of maxPivotAttempts and maxResearchAttempts, at least 10",
    ),
  stuckAfterSameErrors: z
    .int()
    .min(1)
    .default(5)
    .describe("Failures in a row without progress that mean stuck: no fewer failed checks, or one error"),
  stuckAfterUnchanged: z.int().min(1).default(5).describe("Failures in a row without a changed file that mean stuck"),
  maxEvidence: z.int().min(1000).default(8000).describe("Evidence of a failure in a prompt, characters"),
  stuckReport: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe("Report of a checkpoint; null: stuck-report.md beside the plan"),
  maxGlobalIterations: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe("Delegations of the whole run; null: 100, or twice the tasks open at its start if more"),
  maxRunTime: ms.nullable().default(null).describe("Working time of the whole run in milliseconds"),
  maxCost: z.number().positive().nullable().default(null).describe("Cost of the whole run in US dollars"),
  maxTokens: z.int().min(1).nullable().default(null).describe("Tokens of the whole run"),
  taskTimeout: ms.default(30 * 60_000).describe("One delegation, in milliseconds"),
  idleTimeout: ms.nullable().default(null).describe("Silence of an executor, in milliseconds"),
  maxOutput: z.int().min(1).nullable().default(null).describe("Output of an executor or Verify command, in bytes"),
  maxWait: ms
    .nullable()
    .default(6 * 60 * 60_000)
    .describe("Waits in a row for executors that do not say when they can work again, in milliseconds"),
  verifyTimeout: ms.default(10 * 60_000).describe("One Verify command, in milliseconds"),
  trustExecutor: z.boolean().default(false).describe("Do not run Verify commands"),
  requireExecutorTick: z.boolean().default(false).describe("Reject a completion that leaves its box open"),
  requireCommit: z
    .boolean()
    .default(false)
    .describe("Reject a completion that leaves tasks.md or .progress.md uncommitted"),
  permissions: PermissionLevel.default("tool").describe("What known tools may do; tool: their own settings"),
  commit: CommitChoice.or(z.literal(true).transform(() => "spec" as const))
    .default(false)
    .describe("Committed after each accepted task: the spec, or all"),
  finalVerify: z.string().min(1).nullable().default(null).describe("Command that must pass before the run is complete"),
  maxParallel: z.int().min(1).default(5).describe("[P] tasks worked on at once"),
  scope: z.string().min(1).nullable().default(null).describe("Scope in the commit message of fix tasks"),
});

/**
 * Every limit and choice of a run and its default, in one place. Counts are delegations or fix tasks; durations
 * are milliseconds; null means no limit.
 *
 * @see docs/limits.md
 */
export const Policy = PolicyValues.extend({
  pullRequest: PullRequestPolicy.optional().describe("Bring the branch to a pull request; none when not given"),
});
export type Policy = z.infer<typeof Policy>;
/** A policy as a person writes it: any part of it. */
export type PolicyInput = z.input<typeof Policy>;

/** A policy, over what was said before. Of a pull request each part counts by itself. */
export function policyOver(before: PolicyInput, given: PolicyInput): PolicyInput {
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const pullRequest = given.pullRequest && { ...before.pullRequest, ...given.pullRequest };
  return { ...before, ...said, ...(pullRequest && { pullRequest }) };
}

/** Policies that were completed here: machines hand theirs on to those they invoke. */
const whole = new WeakSet<object>();

/**
 * A whole policy from what was given of it. A field that is undefined was not given.
 *
 * @throws {InputError} `policy-invalid`
 */
export function readPolicy(given: PolicyInput = {}): Policy {
  if (whole.has(given)) return given as Policy;
  const parsed = Policy.safeParse(isRecord(given) ? withoutUndefined(given) : given, interpreted);
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
