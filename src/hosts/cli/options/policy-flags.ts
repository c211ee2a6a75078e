import { InputError } from "../../../model/errors.ts";
import { PermissionLevel } from "../../../model/permissions.ts";
import { Policy, type PolicyInput } from "../../../model/policy.ts";
import type { LadderChoices } from "../../../model/rung.ts";
import type { CliOption } from "../cli-command.ts";
import { renderDuration } from "../render/render-time.ts";
import { parseAmount, parseCount, parseDuration, parseText, parseTokens } from "./parse-value.ts";

const defaults = Policy.parse({});
const defaultWait = defaults.maxWait === null ? "off" : renderDuration(defaults.maxWait);

export interface PolicyFlag extends CliOption {
  /** What its value sets; text is empty for a switch. */
  readonly set: (text: string, option: string) => PolicyInput;
}

/** An option that changes the ladder, whatever that was before. */
interface LadderFlag extends CliOption {
  readonly ladder: LadderChoices;
}

/** Names of what may have such a value. */
type NameOf<Value> = { [Name in keyof Policy]: Value extends Policy[Name] ? Name : never }[keyof Policy];

const count =
  (name: NameOf<number>, least: number): PolicyFlag["set"] =>
  (text, option) => ({ [name]: parseCount(option, text, least) });

const orOff =
  (name: NameOf<null>, parse: (option: string, text: string) => number | string): PolicyFlag["set"] =>
  (text, option) => ({ [name]: text === "off" ? null : parse(option, text) });

/** Remedies, which a later start keeps unless it takes one away. */
export const ladderFlags: readonly LadderFlag[] = [
  {
    flags: "--recovery-mode",
    summary: "when a task fails, write a fix task into the plan instead of only trying again",
    ladder: { recoveryMode: true },
  },
  {
    flags: "--repair",
    summary: "when a task fails, ask a repair operator what to do; with --recovery-mode, after the fix tasks",
    ladder: { repair: true },
  },
  {
    flags: "--escalation",
    summary: "when stuck: ask for a new approach, then for research, then stop with a report for you",
    ladder: { escalation: true },
  },
  {
    flags: "--no-recovery-mode",
    summary: "write no more fix tasks in a run that was started with --recovery-mode",
    ladder: { recoveryMode: false },
  },
  {
    flags: "--no-repair",
    summary: "ask no repair operator any more in a run that was started with --repair",
    ladder: { repair: false },
  },
  {
    flags: "--no-escalation",
    summary: "do without new approaches, research and reports in a run that was started with --escalation",
    ladder: { escalation: false },
  },
];

/** What is done about a task that fails. */
export const recoveryFlags: readonly PolicyFlag[] = [
  {
    flags: "--stuck-after-same-errors <n>",
    summary: `failures in a row without progress that count as stuck (default: ${defaults.stuckAfterSameErrors})`,
    set: count("stuckAfterSameErrors", 1),
  },
  {
    flags: "--stuck-after-unchanged <n>",
    summary: `failures in a row without a changed file that count as stuck (default: ${defaults.stuckAfterUnchanged})`,
    set: count("stuckAfterUnchanged", 1),
  },
  {
    flags: "--max-evidence <characters>",
    summary: `how much of a failure a prompt shows (default: ${defaults.maxEvidence})`,
    set: count("maxEvidence", 1000),
  },
  {
    flags: "--stuck-report <path>",
    summary: "where the report goes when a run is stuck (default: stuck-report.md beside the plan)",
    set: (text, option) => ({ stuckReport: parseText(option, text) }),
  },
  {
    flags: "--scope <scope>",
    summary: "scope in the commit message of fix tasks",
    set: (text, option) => ({ scope: parseText(option, text) }),
  },
];

/** When a run stops. */
export const limitsFlags: readonly PolicyFlag[] = [
  {
    flags: "--max-task-iterations <n>",
    summary: `tries of one task; those after a fix, a repair or a pivot do not count (default: ${defaults.maxTaskIterations})`,
    set: count("maxTaskIterations", 1),
  },
  {
    flags: "--max-fix-tasks <n>",
    summary: `fix tasks of one task (default: ${defaults.maxFixTasksPerOriginal})`,
    set: count("maxFixTasksPerOriginal", 0),
  },
  {
    flags: "--max-fix-depth <n>",
    summary: `how deep fixes of fixes may go (default: ${defaults.maxFixTaskDepth})`,
    set: count("maxFixTaskDepth", 0),
  },
  {
    flags: "--max-fix-total <n>",
    summary: `fix tasks of one planned task and all its fixes (default: ${defaults.maxFixTasksPerRoot})`,
    set: count("maxFixTasksPerRoot", 0),
  },
  {
    flags: "--repair-budget <n>",
    summary: `answers of the repair operator that are followed for one planned task (default: ${defaults.repairBudget})`,
    set: count("repairBudget", 0),
  },
  {
    flags: "--max-pivot-attempts <n>",
    summary: `tries of one planned task with a new approach (default: ${defaults.maxPivotAttempts})`,
    set: count("maxPivotAttempts", 0),
  },
  {
    flags: "--max-research-attempts <n>",
    summary: `tries of one planned task after research (default: ${defaults.maxResearchAttempts})`,
    set: count("maxResearchAttempts", 0),
  },
  {
    flags: "--max-total-attempts <n>",
    summary: "failed tries of one planned task and its fixes (default: 10 or more with --escalation, else off)",
    set: orOff("maxTotalAttempts", (option, text) => parseCount(option, text, 1)),
  },
  {
    flags: "--max-global-iterations <n>",
    summary: "delegations of the whole run (default: 100, or twice the open tasks if that is more)",
    set: count("maxGlobalIterations", 1),
  },
  {
    flags: "--max-run-time <duration>",
    summary: "working time of the whole run (default: off)",
    set: orOff("maxRunTime", parseDuration),
  },
  {
    flags: "--max-cost <usd>",
    summary: "cost of the whole run, if the executors report it (default: off)",
    set: orOff("maxCost", parseAmount),
  },
  {
    flags: "--max-tokens <n>",
    summary: "tokens of the whole run, such as 200k or 2m, if the executors report them (default: off)",
    set: orOff("maxTokens", parseTokens),
  },
  {
    flags: "--task-timeout <duration>",
    summary: `time for one delegation (default: ${renderDuration(defaults.taskTimeout)})`,
    set: (text, option) => ({ taskTimeout: parseDuration(option, text) }),
  },
  {
    flags: "--idle-timeout <duration>",
    summary: "stop an executor that prints nothing for this long (default: off; 10m for tools that stream)",
    set: orOff("idleTimeout", parseDuration),
  },
  {
    flags: "--max-wait <duration>",
    summary: `how long to wait for an executor that does not say when it can work again (default: ${defaultWait})`,
    set: orOff("maxWait", parseDuration),
  },
  {
    flags: "--verify-timeout <duration>",
    summary: `time for one Verify command (default: ${renderDuration(defaults.verifyTimeout)})`,
    set: (text, option) => ({ verifyTimeout: parseDuration(option, text) }),
  },
  {
    flags: "--max-parallel <n>",
    summary: `how many [P] tasks are worked on at once (default: ${defaults.maxParallel})`,
    set: count("maxParallel", 1),
  },
];

/** What tools and the coordinator may do. */
export const permissionFlags: readonly PolicyFlag[] = [
  {
    flags: "--permissions <level>",
    summary: `what the tool may do: tool (what its own settings allow), edit (write files, run Verify, commit) or full (everything) (default: ${defaults.permissions})`,
    set: (text, option) => ({ permissions: oneOf(option, text, PermissionLevel.options) }),
  },
  {
    flags: "--commit <what>",
    summary:
      "what to commit after each accepted task: spec (tasks.md and .progress.md) or all (also what the attempt left) (default: off)",
    set: (text, option) => ({ commit: text === "off" ? false : oneOf(option, text, commits) }),
  },
];

/** When a task counts as done. */
export const verificationFlags: readonly PolicyFlag[] = [
  {
    flags: "--trust-executor",
    summary: "do not run the tasks' Verify commands",
    set: () => ({ trustExecutor: true }),
  },
  {
    flags: "--require-executor-tick",
    summary: "reject a task whose executor did not tick its box",
    set: () => ({ requireExecutorTick: true }),
  },
  {
    flags: "--require-commit",
    summary: "reject a task that leaves tasks.md or .progress.md uncommitted",
    set: () => ({ requireCommit: true }),
  },
  {
    flags: "--final-verify <command>",
    summary: "command that must pass before the run is complete (default: off)",
    set: orOff("finalVerify", parseText),
  },
];

const commits = ["spec", "all"] as const;

function oneOf<Value extends string>(option: string, text: string, values: readonly Value[]): Value {
  const known = values.find((each) => each === text);
  if (known !== undefined) return known;
  throw new InputError(`Cannot use ${option} \`${text}\`, expected one of ${values.join(", ")}`, {
    code: "bad-option",
  });
}
