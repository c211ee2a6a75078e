import * as z from "zod";
import { option } from "../../../model/option.ts";
import type { PolicyInput } from "../../../model/policy.ts";
import { roles, type SupportingRole, supportingRoles } from "../../../model/role.ts";
import { type LadderChoices, Rung } from "../../../model/rung.ts";
import { roleWords } from "../../../wording/role-words.ts";
import { claimants, toolNames } from "../../node/executors/known-tools.ts";
import { startOptions } from "../../node/start-options.ts";
import type { Given } from "./read-flag.ts";

export const command = z.string().regex(/\S/, "expected a command");
const tool = z.string();

export type ExecutorArgs = Readonly<Record<string, string>>;

const reporterNames = ["tree", "plain", "json"] as const;
export type ReporterName = (typeof reporterNames)[number];

type RoleOption = `${SupportingRole}Exec`;
export const roleOptions = supportingRoles.map((role) => ({ role, name: `${role}Exec` satisfies RoleOption }));

const forRoles = <Value>(value: (role: SupportingRole) => Value) =>
  Object.fromEntries(roleOptions.map(({ role, name }) => [name, value(role)])) as Record<RoleOption, Value>;

const standIns = { executor: "the executor", nobody: "no one" } as const;

/** Options that choose the executor of a role, and are remembered. */
export const whoOptions = {
  executor: option(
    z.union([tool, z.tuple([tool], tool)], "expected a name or a list of names"),
    "runs something",
    "A known tool, or a list of tools; the next is used when one is not available",
    {
      group: "Who does the work",
      flags: "--executor <names>",
      summary: `the agent; of a list (claude,codex), the next tool is used when one is not available. Known: ${toolNames.join(", ")}`,
      details: `For one rung of the ladder, put its name in front, as in "fix: claude --model opus"; rungs: ${Rung.options.join(", ")}`,
      basic: true,
      repeats: true,
      choices: toolNames,
    },
  ),
  rungs: option(z.partialRecord(Rung, command), "runs something", "Executors of the attempts of a rung"),
  /** Command line of the executor; together with a single known tool, the command line of that tool. */
  exec: option(command, "runs something", "Command line of the executor", {
    group: "Who does the work",
    flags: "--exec <command>",
    basic: true,
    summary: "run this command as the agent; with --executor NAME, the command line for that tool",
  }),
  executorArgs: option(z.record(tool, z.string()), "runs something", "Flags of known tools, by name", {
    group: "Who does the work",
    flags: "--executor-args <flags>",
    summary: 'flags for one tool of --executor, as in "claude: --model opus"; repeat the option for other tools',
    repeats: true,
  }),
  structuredClaim: option(z.boolean(), "weakens a check", "Have the tool claim in a fixed schema", {
    group: "Who does the work",
    flags: "--structured-claim",
    summary: `have the agent answer in a fixed schema, so that its wording cannot be misread (${claimants.join(", ")})`,
  }),
  ...forRoles((role) =>
    option(command, "runs something", `Command that ${roleWords[role].does}`, {
      group: "Who does the work",
      flags: `--${role}-exec <command>`,
      summary: `command that ${roleWords[role].does} (default, or off: ${standIns[roles[role].standIn]})`,
    }),
  ),
};

/** The options of a run besides its policy and its ladder, in the order of the help. */
export const runOptions = {
  ...whoOptions,
  /**
   * Workspace. A path on the command line may be relative to the current folder; a path in a config file, to the folder
   * of the file.
   */
  cwd: option(z.string().min(1), "gives a right", "The workspace", {
    group: "Who does the work",
    flags: "--cwd <workspace>",
    summary: "folder in which commands run",
    unset: "the current one",
  }),
  ...startOptions,
  reporter: option(z.enum(reporterNames), "looks only", "How the run is reported", {
    group: "Output",
    flags: "--reporter <name>",
    summary: reporterNames.join(", "),
    unset: "tree on a terminal, else plain",
  }),
  watch: option(z.boolean(), "of one start", "Show the run on a page", {
    group: "Output",
    flags: "--watch",
    basic: true,
    summary: "show the run live on a page in the browser, as long as the run is at work",
  }),
  inspect: option(z.enum(["stately"]), "of one start", "Offer the machines to an inspector", {
    group: "Output",
    flags: "--inspect <viewer>",
    summary:
      "stately: show the state machines of this start in the viewer of stately.ai, on the page of --watch, and in a viewer of your own",
  }),
  telemetry: option(z.boolean(), "of one start", "Send spans and metrics to OpenTelemetry", {
    group: "Output",
    flags: "--telemetry",
    summary:
      "send spans and metrics of this start to OpenTelemetry, through the @opentelemetry/api that is installed here",
  }),
  traceContent: option(z.boolean(), "of one start", "Send content to OpenTelemetry, too", {
    group: "Output",
    flags: "--trace-content",
    summary: "have --telemetry also send titles, prompts, replies, commands and their output",
  }),
};

/** Options given by one source: a file or a command line. Other options are absent. */
export interface Settings extends Omit<Given<typeof runOptions>, "executor"> {
  readonly executor?: readonly string[] | undefined;
  /**
   * Limits and choices that were given. Defaults are not filled in, since a continued run keeps its recorded values.
   */
  readonly policy: PolicyInput;
  readonly ladder?: LadderChoices | undefined;
}
