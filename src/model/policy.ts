import * as z from "zod";
import { InputError } from "./errors.ts";
import { CallLimits, RunLimits, TaskLimits } from "./limits.ts";
import { option } from "./option.ts";
import { interpreted } from "./parse-json.ts";
import { PullRequestPolicy } from "./pull-request-policy.ts";
import { PermissionLevel } from "./reply.ts";
import { changeLadder, isLadder, type LadderChoices, ladderWith, Rung } from "./rung.ts";
import { nearestName } from "./text.ts";
import { VerifyPolicy } from "./verify-policy.ts";
import { WorktreePolicy } from "./worktree-policy.ts";

/** Files to commit after each accepted task: no files, the files of the spec, or all changes of the attempt. */
export const CommitChoice = z.union([z.literal(false), z.enum(["spec", "all"])]);
export type CommitChoice = z.infer<typeof CommitChoice>;

/**
 * All limits and settings of a run, with defaults. Counts are numbers of delegations or fix tasks, durations are
 * milliseconds, and null means no limit.
 *
 * @see docs/limits.md
 */
export const Policy = z.strictObject({
  /** Rungs in the order in which they are tried. */
  recovery: option(
    z
      .array(Rung)
      .min(1)
      .refine(isLadder, "expected each rung once, with pivot, research, race and checkpoint last and in this order")
      .default(["retry"]),
    "limit",
    "Remedies for a failed attempt, in this order",
  ),
  ...TaskLimits.shape,
  stuckAfterSameErrors: option(
    z.int().min(1).default(4),
    "limit",
    "A task is stuck after this many failures in a row with the same error, or with no fewer failed checks",
    {
      group: "Recovery",
      flags: "--stuck-after-same-errors <n>",
      unit: "failures",
      summary: "failures in a row without progress after which a task is stuck",
    },
  ),
  stuckAfterUnchanged: option(
    z.int().min(1).default(5),
    "limit",
    "Failures in a row without a changed file after which a task is stuck",
    {
      group: "Recovery",
      flags: "--stuck-after-unchanged <n>",
      unit: "failures",
      summary: "failures in a row without a changed file after which a task is stuck",
    },
  ),
  maxEvidence: option(z.int().min(1000).default(8000), "limit", "Evidence of a failure in a prompt, in characters", {
    group: "Recovery",
    flags: "--max-evidence <characters>",
    unit: "text",
    summary: "how many characters of a failure a prompt shows",
  }),
  fresh: option(
    z.enum(["pivot", "always", "never"]).default("pivot"),
    "gives a right",
    "Attempts that start from the task's original files: those of pivot, all further attempts, or none",
    {
      group: "Recovery",
      flags: "--fresh <when>",
      unit: "pivot, always or never",
      summary: "which attempts start without the changes of failed ones: pivot (and research), always, or never",
    },
  ),
  stuckReport: option(
    z.string().min(1).nullable().default(null),
    "gives a right",
    "Path of a checkpoint's report; null: stuck-report.md next to the plan",
    {
      group: "Recovery",
      flags: "--stuck-report <path>",
      unit: "text",
      summary: "where the report goes when a run is stuck",
      unset: "stuck-report.md next to the plan",
      shown: "next to the plan",
      mayBeOff: false,
    },
  ),
  ...RunLimits.shape,
  ...CallLimits.shape,
  ...VerifyPolicy.shape,
  permissions: option(
    PermissionLevel.default("tool"),
    "gives a right",
    "Permissions of known tools; `tool` leaves them to each tool's own settings",
    {
      group: "What the run may do",
      flags: "--permissions <level>",
      basic: true,
      unit: "text",
      summary:
        "what the tool may do: tool (what its own settings allow), edit (write files, run Verify, commit) or full (everything)",
    },
  ),
  ...WorktreePolicy.shape,
  passEnv: option(
    z
      .array(z.string().regex(/^[A-Za-z_]\w*$/, "expected the name of a variable"), "expected a list of names")
      .min(1)
      .nullable()
      .default(null),
    "gives a right",
    "Variables that Verify commands get although their names look like secrets",
    {
      group: "What the run may do",
      flags: "--pass-env <name>",
      unit: "names",
      summary: "pass a variable to Verify commands although its name looks like a secret; repeat the option for others",
      repeats: true,
      unset: "none",
      shown: "none",
      mayBeOff: false,
    },
  ),
  commit: option(
    CommitChoice.or(z.literal(true).transform(() => "spec" as const)).default(false),
    "gives a right",
    "Changes to commit after each accepted task: only those of the spec's files, or all",
    {
      group: "What the run may do",
      flags: "--commit <what>",
      basic: true,
      words: { off: false, spec: "spec", all: "all" },
      unit: "text",
      summary:
        "what to commit after each accepted task: spec (tasks.md and .progress.md) or all (also the attempt's changes)",
    },
  ),
  rules: option(
    z.enum(["evidence", "source"]).default("evidence"),
    "weakens a check",
    "How claims are judged and failures repaired: by evidence, or by the rules of the original coordinator",
    {
      group: "Verification",
      flags: "--rules <rules>",
      unit: "text",
      summary: "evidence (Verify outweighs the agent's words) or source (rules of the source system)",
    },
  ),
  finalVerify: option(
    z.string().min(1).nullable().default(null),
    "runs something",
    "Command that must pass before the run is complete",
    {
      group: "Verification",
      flags: "--final-verify <command>",
      unit: "text",
      summary: "command that must pass before the run is complete",
    },
  ),
  maxParallel: option(z.int().min(1).default(5), "limit", "[P] tasks worked on at once", {
    group: "Limits",
    flags: "--max-parallel <n>",
    unit: "tasks",
    summary: "how many [P] tasks are worked on at once",
  }),
  scope: option(z.string().min(1).nullable().default(null), "looks only", "Scope in the commit message of fix tasks", {
    group: "Recovery",
    flags: "--scope <scope>",
    unit: "text",
    summary: "scope in the commit message of fix tasks",
    unset: "",
    shown: "off",
    mayBeOff: false,
  }),
  pullRequest: option(PullRequestPolicy.optional(), "gives a right", "Pull request for the branch; none if not given", {
    group: "Pull request",
    flags: "--pull-request",
    basic: true,
    summary: "push the branch, open a pull request and watch it until it is green: red checks and reviews become tasks",
  }),
});
export type Policy = z.infer<typeof Policy>;
/** A partial policy, as a person writes it. */
export type PolicyInput = z.input<typeof Policy>;

/**
 * Overwrite settings of an earlier policy. Pull-request settings are overwritten one by one. If `unattended` changes,
 * the default of `knownFailures` that depends on it is dropped.
 */
export function policyOver(before: PolicyInput, given: PolicyInput): PolicyInput {
  const said = withoutUndefined(given) as PolicyInput;
  const pullRequest = given.pullRequest && { ...before.pullRequest, ...given.pullRequest };
  const { knownFailures, ...others } = before;
  const isTurned = (said.unattended ?? before.unattended ?? false) !== (before.unattended ?? false);
  const isDefault = knownFailures === (before.unattended === true ? defaultsUnattended.knownFailures : "ask");
  const known = isTurned && isDefault ? others : before;
  return { ...known, ...said, ...(pullRequest && { pullRequest }) };
}

/**
 * Policies that are completed with defaults. A machine passes its policy to the machines that it invokes, and the
 * policy need not be completed again.
 */
const whole = new WeakSet<object>();

/** Defaults of the source system that differ from the defaults of fixpoint. */
const defaultsOfSource = { maxTaskIterations: 5 };

/** Number of racers if the rung `race` is given without a number. */
const raceOfRung = 3;

const defaultsUnattended = { knownFailures: "ignore" } as const;

/**
 * Complete a policy with defaults. A field that is undefined counts as not given.
 *
 * @param ladder Rungs to add and to remove. @throws {InputError} `policy-invalid`
 */
export function readPolicy(given: PolicyInput = {}, ladder?: LadderChoices): Policy {
  if (ladder === undefined && whole.has(given)) return given as Policy;
  const chosen = isRecord(given) ? withoutUndefined(given) : given;
  const parsed = Policy.safeParse(isRecord(chosen) ? { ...defaultsFor(chosen), ...chosen } : chosen, interpreted);
  if (parsed.success) {
    const { recovery, race } = parsed.data;
    const policy = { ...parsed.data, recovery: ladderWith(changeLadder(recovery, ladder ?? {}), race) };
    whole.add(policy);
    return policy;
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

const defaultsFor = ({ rules, unattended, recovery }: PolicyInput): PolicyInput => ({
  ...(Array.isArray(recovery) && recovery.includes("race") && { race: raceOfRung }),
  ...(rules === "source" && defaultsOfSource),
  ...(unattended === true && defaultsUnattended),
});

const isRecord = (given: unknown): given is object => typeof given === "object" && given !== null;
const withoutUndefined = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

const strangersIn = ({ issues }: z.ZodError): string[] =>
  issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? issue.keys : []));

/** Names that begin with the typed text; otherwise the most similar name. */
function nearNames(typed: string, known: readonly string[]): string[] {
  const starts = known.filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()));
  return starts.length > 0 ? starts : [nearestName(typed, known) ?? []].flat();
}
