import { InputError } from "../../../model/errors.ts";
import type { PolicyInput } from "../../../model/policy.ts";
import { roles, type SupportingRole, supportingRoles } from "../../../model/role.ts";
import { roleWords } from "../../../wording/role-words.ts";
import { claimants, toolNames } from "../../node/executors/known-tools.ts";
import type { CliOption, OptionValues } from "../cli-command.ts";
import { readExecutorArgs } from "./executor-args.ts";
import { parseExecutors } from "./parse-executor.ts";
import { parseCount, parseText } from "./parse-value.ts";
import { ladderFlags, policyFlags } from "./policy-flags.ts";
import { pullRequestFlags, readPullRequestFlags } from "./pull-request-flags.ts";
import { forRoles, type ReporterName, reporterNames, type Settings } from "./settings.ts";

const grouped = (group: string, flags: readonly CliOption[]): CliOption[] => flags.map((flag) => ({ ...flag, group }));

const roleFlag = (role: SupportingRole): string => `--${role}-exec`;
const standIns = { executor: "the executor", nobody: "nobody" } as const;

/** Options of `run` and `resume`, in the order of their help. */
export const runFlags: readonly CliOption[] = [
  ...grouped("Who does the work", [
    {
      flags: "--executor <names>",
      summary: `the agent; in a list (claude,codex) the next one is used when one is not available. Known: ${toolNames.join(", ")}. For one rung of the ladder, put its name in front, as in "fix: claude --model opus"; rungs: retry, fix, repair, pivot, research, checkpoint`,
      repeats: true,
    },
    {
      flags: "--exec <command>",
      summary: "run this command as the agent; with --executor NAME, the command line for that tool",
    },
    {
      flags: "--executor-args <flags>",
      summary: 'flags for one tool of --executor, as in "claude: --model opus"; repeat it for other tools',
      repeats: true,
    },
    {
      flags: "--structured-claim",
      summary: `have the agent answer in a fixed schema, so that its wording cannot be misread (${claimants.join(", ")})`,
    },
    ...supportingRoles.map((role) => ({
      flags: `${roleFlag(role)} <command>`,
      summary: `command that ${roleWords[role].does} (default, or off: ${standIns[roles[role].standIn]})`,
    })),
    { flags: "--cwd <workspace>", summary: "folder in which commands run (default: the current one)" },
  ]),
  ...grouped("What it may do", policyFlags("may")),
  ...grouped("Recovery", [...ladderFlags, ...policyFlags("recovery")]),
  ...grouped("Limits", policyFlags("limits")),
  ...grouped("Verification", policyFlags("verification")),
  ...grouped("Pull request", pullRequestFlags),
  ...grouped("This start", [
    {
      flags: "--yes",
      summary: "agree to what the first start of a run does: its Verify commands, and the config file",
    },
    {
      flags: "--accept <hash>",
      summary: "agree to a later change, by the hash that was shown; any agrees to every change",
    },
    { flags: "--new-run", summary: "begin a new run of the plan, whatever state the last one is in" },
    {
      flags: "--take-over",
      summary: "remove the lock of a run on another machine; use it only if that run has ended",
    },
    {
      flags: "--share-workspace",
      summary:
        "work in the workspace even while another spec's run does; use it only if neither gets in the other's way",
    },
    { flags: "--pause-after <n>", summary: "pause after n tasks have passed in this start" },
  ]),
  ...grouped("Output", [
    {
      flags: "--notify <command>",
      summary:
        "shell command that tells you when a person is asked something, and when the run has ended (default: off)",
    },
    { flags: "--reporter <name>", summary: `${reporterNames.join(", ")} (default: tree on a terminal, else plain)` },
    { flags: "--watch", summary: "show the run on a page in the browser, live, as long as it is at work" },
    {
      flags: "--inspect <viewer>",
      summary: "stately: offer the machines of this start to an inspector of Stately, at an address that is printed",
    },
    {
      flags: "--telemetry",
      summary: "tell OpenTelemetry the spans and metrics of this start, through the @opentelemetry/api that is here",
    },
    {
      flags: "--trace-content",
      summary: "have --telemetry also tell titles, prompts, replies, commands and their output",
    },
  ]),
];

/**
 * What the command line says.
 *
 * @throws {InputError} `bad-number`, `bad-duration`, `bad-option`, `preset-unknown`
 */
export function readRunFlags(values: OptionValues): Settings {
  const text = (flag: string): string | undefined => {
    const word = values[camelCase(flag)];
    return typeof word === "string" ? parseText(flag, word) : undefined;
  };
  const texts = (flag: string): string[] => {
    const word = values[camelCase(flag)] ?? [];
    return (Array.isArray(word) ? word : [word]).map((each: string) => parseText(flag, each));
  };
  const policy: PolicyInput = {};
  for (const { flags, set } of policyFlags()) {
    const [option = flags] = flags.split(" ");
    const word = values[camelCase(option)];
    if (word !== undefined) Object.assign(policy, set(typeof word === "string" ? word : "", option));
  }
  const pullRequest = readPullRequestFlags(values);
  if (pullRequest !== undefined) policy.pullRequest = pullRequest;
  const ladder = ladderFlags.flatMap((flag) =>
    Object.entries(flag.ladder).filter(([name, choice]) => values[name] === choice),
  );
  const { executor, rungs } = parseExecutors(texts("--executor"));
  const exec = text("--exec");
  if (exec !== undefined && executor !== undefined && executor.length > 1) {
    throw new InputError("Cannot use --exec beside several names of --executor, expected one whose command it is", {
      code: "bad-option",
    });
  }
  const executorArgs = texts("--executor-args");
  return {
    executor,
    ...(rungs !== undefined && { rungs }),
    exec,
    ...(executorArgs.length > 0 && { executorArgs: readExecutorArgs(executorArgs) }),
    structuredClaim: values["structuredClaim"] === true || undefined,
    ...forRoles((_, role) => text(roleFlag(role))),
    cwd: text("--cwd"),
    shareWorkspace: values["shareWorkspace"] === true || undefined,
    notify: text("--notify"),
    reporter: readReporter(text("--reporter")),
    policy,
    ...(ladder.length > 0 && { ladder: Object.fromEntries(ladder) }),
  };
}

/**
 * Whether the run is to be inspected.
 *
 * @throws {InputError} `bad-option`
 */
export function readInspect({ inspect }: OptionValues): boolean {
  if (inspect === undefined || inspect === "stately") return inspect !== undefined;
  throw new InputError(`Cannot use --inspect \`${String(inspect)}\`, expected stately`, { code: "bad-option" });
}

/**
 * What is to be told as telemetry; null where nothing is.
 *
 * @throws {InputError} `bad-option`
 */
export function readTelemetry({ telemetry, traceContent }: OptionValues): { readonly traceContent: boolean } | null {
  if (telemetry === true) return { traceContent: traceContent === true };
  if (traceContent !== true) return null;
  throw new InputError("Cannot use --trace-content alone, expected it beside --telemetry", { code: "bad-option" });
}

/** @throws {InputError} `bad-number` */
export const readPauseAfter = ({ pauseAfter }: OptionValues): number | undefined =>
  typeof pauseAfter === "string" ? parseCount("--pause-after", pauseAfter, 1) : undefined;

function readReporter(name: string | undefined): ReporterName | undefined {
  const known = reporterNames.find((each) => each === name);
  if (name === undefined || known !== undefined) return known;
  throw new InputError(`Cannot use --reporter \`${name}\`, expected one of ${reporterNames.join(", ")}`, {
    code: "bad-option",
  });
}

const camelCase = (flag: string): string => flag.slice(2).replace(/-./g, (letter) => letter.slice(1).toUpperCase());
