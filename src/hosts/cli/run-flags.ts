import { InputError } from "../../model/errors.ts";
import { Policy, type PolicyInput } from "../../model/policy.ts";
import type { CliOption, CliWords } from "./cli-command.ts";
import { composeLadder } from "./compose-ladder.ts";
import { parseAmount } from "./parse-amount.ts";
import { parseCount } from "./parse-count.ts";
import { parseDuration } from "./parse-duration.ts";
import { executorNames, parseExecutor } from "./parse-executor.ts";
import { renderDuration } from "./render-duration.ts";
import { type ReporterName, reporterNames, type Settings } from "./settings.ts";

const defaults = Policy.parse({});
const defaultWait = defaults.maxWait === null ? "off" : renderDuration(defaults.maxWait);

interface PolicyFlag extends CliOption {
  /** What its value sets; text is empty for a switch. */
  readonly set: (text: string, option: string) => PolicyInput;
}

const unlessOff = <Value>(text: string, parse: (text: string) => Value): Value | null =>
  text === "off" ? null : parse(text);

const policyFlags: readonly PolicyFlag[] = [
  {
    flags: "--recovery-mode",
    summary: "write fix tasks for a failed task instead of only trying it again",
    set: () => ({ recovery: composeLadder({ recoveryMode: true }) }),
  },
  {
    flags: "--repair",
    summary: "have a repair operator choose what is done about a failed task; after fix tasks with --recovery-mode",
    set: () => ({ recovery: composeLadder({ repair: true }) }),
  },
  {
    flags: "--escalation",
    summary: "when nothing else helps: a different approach, then context first, then a report for a person",
    set: () => ({ recovery: composeLadder({ escalation: true }) }),
  },
  {
    flags: "--max-task-iterations <n>",
    summary: `plain or rejected delegations of one task (default: ${defaults.maxTaskIterations})`,
    set: (text, option) => ({ maxTaskIterations: parseCount(option, text, 1) }),
  },
  {
    flags: "--max-fix-tasks <n>",
    summary: `fix tasks of one task (default: ${defaults.maxFixTasksPerOriginal})`,
    set: (text, option) => ({ maxFixTasksPerOriginal: parseCount(option, text, 0) }),
  },
  {
    flags: "--max-fix-depth <n>",
    summary: `generations of fixes of fixes (default: ${defaults.maxFixTaskDepth})`,
    set: (text, option) => ({ maxFixTaskDepth: parseCount(option, text, 0) }),
  },
  {
    flags: "--max-fix-total <n>",
    summary: `fix tasks in the tree of one planned task (default: ${defaults.maxFixTasksPerRoot})`,
    set: (text, option) => ({ maxFixTasksPerRoot: parseCount(option, text, 0) }),
  },
  {
    flags: "--repair-budget <n>",
    summary: `directives of the repair operator for one planned task (default: ${defaults.repairBudget})`,
    set: (text, option) => ({ repairBudget: parseCount(option, text, 0) }),
  },
  {
    flags: "--max-pivot-attempts <n>",
    summary: `delegations of one planned task with a different approach (default: ${defaults.maxPivotAttempts})`,
    set: (text, option) => ({ maxPivotAttempts: parseCount(option, text, 0) }),
  },
  {
    flags: "--max-research-attempts <n>",
    summary: `delegations of one planned task after gathering context (default: ${defaults.maxResearchAttempts})`,
    set: (text, option) => ({ maxResearchAttempts: parseCount(option, text, 0) }),
  },
  {
    flags: "--max-total-attempts <n>",
    summary: "failed attempts on one planned task and its fixes (default with --escalation: 10 or more, else off)",
    set: (text, option) => ({ maxTotalAttempts: unlessOff(text, (given) => parseCount(option, given, 1)) }),
  },
  {
    flags: "--stuck-after-same-errors <n>",
    summary: `failures in a row without progress that mean stuck (default: ${defaults.stuckAfterSameErrors})`,
    set: (text, option) => ({ stuckAfterSameErrors: parseCount(option, text, 1) }),
  },
  {
    flags: "--stuck-after-unchanged <n>",
    summary: `failures in a row without a changed file that mean stuck (default: ${defaults.stuckAfterUnchanged})`,
    set: (text, option) => ({ stuckAfterUnchanged: parseCount(option, text, 1) }),
  },
  {
    flags: "--max-evidence <characters>",
    summary: `evidence of a failure in a prompt (default: ${defaults.maxEvidence})`,
    set: (text, option) => ({ maxEvidence: parseCount(option, text, 1000) }),
  },
  {
    flags: "--stuck-report <path>",
    summary: "where a checkpoint writes its report, from the workspace (default: stuck-report.md beside the plan)",
    set: (text, option) => ({ stuckReport: wordsOf(option, text) }),
  },
  {
    flags: "--max-global-iterations <n>",
    summary: "delegations of the whole run (default: 100, or twice the open tasks if that is more)",
    set: (text, option) => ({ maxGlobalIterations: parseCount(option, text, 1) }),
  },
  {
    flags: "--max-run-time <duration>",
    summary: "working time of the whole run (default: off)",
    set: (text, option) => ({ maxRunTime: unlessOff(text, (given) => parseDuration(option, given)) }),
  },
  {
    flags: "--max-cost <usd>",
    summary: "cost of the whole run, as far as executors tell it (default: off)",
    set: (text, option) => ({ maxCost: unlessOff(text, (given) => parseAmount(option, given)) }),
  },
  {
    flags: "--max-tokens <n>",
    summary: "tokens of the whole run, as far as executors tell them (default: off)",
    set: (text, option) => ({ maxTokens: unlessOff(text, (given) => parseCount(option, given, 1)) }),
  },
  {
    flags: "--task-timeout <duration>",
    summary: `one delegation (default: ${renderDuration(defaults.taskTimeout)})`,
    set: (text, option) => ({ taskTimeout: parseDuration(option, text) }),
  },
  {
    flags: "--idle-timeout <duration>",
    summary: "silence of an executor (default: off; 10m for an --executor that streams)",
    set: (text, option) => ({ idleTimeout: unlessOff(text, (given) => parseDuration(option, given)) }),
  },
  {
    flags: "--max-wait <duration>",
    summary: `waits for an executor that does not say how long, for one reason in a row (default: ${defaultWait})`,
    set: (text, option) => ({ maxWait: unlessOff(text, (given) => parseDuration(option, given)) }),
  },
  {
    flags: "--verify-timeout <duration>",
    summary: `one Verify command (default: ${renderDuration(defaults.verifyTimeout)})`,
    set: (text, option) => ({ verifyTimeout: parseDuration(option, text) }),
  },
  {
    flags: "--trust-executor",
    summary: "do not run the tasks' Verify commands",
    set: () => ({ trustExecutor: true }),
  },
  {
    flags: "--require-executor-tick",
    summary: "reject a completion whose executor did not tick its box",
    set: () => ({ requireExecutorTick: true }),
  },
  {
    flags: "--require-commit",
    summary: "reject a completion that leaves tasks.md or .progress.md uncommitted",
    set: () => ({ requireCommit: true }),
  },
  {
    flags: "--commit",
    summary: "commit tasks.md and .progress.md after each accepted task",
    set: () => ({ commit: true }),
  },
  {
    flags: "--final-verify <command>",
    summary: "must pass before the run is complete (default: off)",
    set: (text, option) => ({ finalVerify: unlessOff(text, (given) => wordsOf(option, given)) }),
  },
  {
    flags: "--max-parallel <n>",
    summary: `[P] tasks worked on at once (default: ${defaults.maxParallel})`,
    set: (text, option) => ({ maxParallel: parseCount(option, text, 1) }),
  },
  {
    flags: "--scope <scope>",
    summary: "scope in the commit message of fix tasks",
    set: (text, option) => ({ scope: wordsOf(option, text) }),
  },
];

/** Options of `run` and `resume`. */
export const runFlags: readonly CliOption[] = [
  {
    flags: "--executor <names>",
    summary: `the executor: of several, as claude,codex, the next stands in (${executorNames.join(", ")})`,
  },
  {
    flags: "--exec <command>",
    summary: "any other, whose stdout is its final message; beside one --executor: how to call that",
  },
  { flags: "--verifier-exec <command>", summary: "who does [VERIFY] tasks (default: the executor)" },
  { flags: "--operator-exec <command>", summary: "who chooses how a failed task is repaired (default: the executor)" },
  { flags: "--reviewer-exec <command>", summary: "who reviews what was done (default: nobody)" },
  { flags: "--cwd <workspace>", summary: "folder in which commands work (default: the current one)" },
  ...policyFlags,
  { flags: "--yes", summary: "agree to what the first start of a run does: its Verify commands, and the config file" },
  {
    flags: "--accept <hash>",
    summary: "agree to a later change, by the hash it is shown with; any: to whatever is asked",
  },
  { flags: "--new-run", summary: "begin a new run of the plan, whatever the run before has left" },
  { flags: "--take-over", summary: "take the spec from a coordinator on another machine that is certainly gone" },
  { flags: "--reporter <name>", summary: `${reporterNames.join(", ")} (default: tree on a terminal, else plain)` },
];

/**
 * What the command line says.
 *
 * @throws {InputError} `bad-number`, `bad-duration`, `bad-option`, `preset-unknown`
 */
export function readRunFlags(words: CliWords): Settings {
  const text = (flag: string): string | undefined => {
    const word = words[camelCase(flag)];
    return typeof word === "string" ? wordsOf(flag, word) : undefined;
  };
  const policy: PolicyInput = {};
  for (const { flags, set } of policyFlags) {
    const [option = flags] = flags.split(" ");
    const word = words[camelCase(option)];
    if (word !== undefined) Object.assign(policy, set(typeof word === "string" ? word : "", option));
  }
  const recovery = composeLadder({
    recoveryMode: words["recoveryMode"] === true || undefined,
    repair: words["repair"] === true || undefined,
    escalation: words["escalation"] === true || undefined,
  });
  if (recovery !== undefined) policy.recovery = recovery;
  const executor = text("--executor")?.split(",").map(parseExecutor);
  const exec = text("--exec");
  if (exec !== undefined && executor !== undefined && executor.length > 1) {
    throw new InputError("Cannot use --exec beside several names of --executor, expected one whose command it is", {
      code: "bad-option",
    });
  }
  return {
    executor,
    exec,
    verifierExec: text("--verifier-exec"),
    operatorExec: text("--operator-exec"),
    reviewerExec: text("--reviewer-exec"),
    cwd: text("--cwd"),
    reporter: readReporter(text("--reporter")),
    policy,
  };
}

function readReporter(name: string | undefined): ReporterName | undefined {
  const known = reporterNames.find((each) => each === name);
  if (name === undefined || known !== undefined) return known;
  throw new InputError(`Cannot use --reporter \`${name}\`, expected one of ${reporterNames.join(", ")}`, {
    code: "bad-option",
  });
}

function wordsOf(option: string, text: string): string {
  if (text.trim() !== "") return text;
  throw new InputError(`Cannot use ${option} \`${text}\`, expected some text`, { code: "bad-option" });
}

const camelCase = (flag: string): string => flag.slice(2).replace(/-./g, (letter) => letter.slice(1).toUpperCase());
