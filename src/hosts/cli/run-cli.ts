import { Command, CommanderError, Option } from "commander";
import { InputError } from "../../model/errors.ts";
import { nearestName } from "../../model/nearest-name.ts";
import type { CliCommand, CliOption, CliWords } from "./cli-command.ts";
import type { Surroundings } from "./terminal.ts";

interface CommandEntry {
  readonly name: string;
  readonly argument: string;
  readonly summary: string;
  readonly load: () => Promise<CliCommand>;
}

const entries: readonly CommandEntry[] = [
  {
    name: "run",
    argument: "[spec]",
    summary: "run a spec, or go on with one, to its outcome",
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    name: "resume",
    argument: "[spec]",
    summary: "go on with a run that was stopped or paused",
    load: async () => (await import("./commands/resume.ts")).resume,
  },
  {
    name: "pause",
    argument: "[spec]",
    summary: "have a run begin nothing more until it is resumed",
    load: async () => (await import("./commands/pause.ts")).pause,
  },
  {
    name: "stop",
    argument: "[spec]",
    summary: "end a run so that it can go on, as Ctrl-C does where it runs",
    load: async () => (await import("./commands/stop.ts")).stop,
  },
  {
    name: "status",
    argument: "[spec]",
    summary: "where every task stands, with its fixes",
    load: async () => (await import("./commands/status.ts")).status,
  },
  {
    name: "lint",
    argument: "[spec]",
    summary: "check a plan, given as a spec or a file: every problem with its line",
    load: async () => (await import("./commands/lint.ts")).lint,
  },
  {
    name: "doctor",
    argument: "[spec]",
    summary: "check what a run needs here: programs, folders, tools and their logins, the plan",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  {
    name: "why",
    argument: "<task> [spec]",
    summary: "why a task is where it is: each decision with the counts it was made from",
    load: async () => (await import("./commands/why.ts")).why,
  },
  {
    name: "logs",
    argument: "<task> [spec]",
    summary: "what an attempt at a task has printed: its final message, and its Verify",
    load: async () => (await import("./commands/logs.ts")).logs,
  },
  {
    name: "replay",
    argument: "[spec]",
    summary: "decide a recorded run again, given as a spec or its journal: every decision that differs",
    load: async () => (await import("./commands/replay.ts")).replay,
  },
  {
    name: "clean",
    argument: "[spec]",
    summary: "remove what is kept of old runs",
    load: async () => (await import("./commands/clean.ts")).clean,
  },
  {
    name: "reset",
    argument: "[spec]",
    summary: "take away all that is there of a run, so that the next one begins anew",
    load: async () => (await import("./commands/reset.ts")).reset,
  },
  {
    name: "diagram",
    argument: "[machine]",
    summary: "Mermaid of a statechart: task, escalation, repair, batch or spec",
    load: async () => (await import("./commands/diagram.ts")).diagram,
  },
];

const names = entries.map(({ name }) => name);

/**
 * Carry out a command line. A command's file is loaded when the command is called, its options included.
 *
 * @param words Without the program's own name.
 * @returns The exit code.
 * @throws {InputError} `bad-usage`, and whatever the command throws
 */
export async function runCli(words: readonly string[], surroundings: Surroundings, version: string): Promise<number> {
  let exitCode = 0;
  const program = describeProgram(surroundings, version);
  for (const { name, argument, summary, load } of entries) {
    const command = program.command(name).description(summary).arguments(argument);
    command.action(async () => {
      // A second argument is told among the options.
      const [given, spec] = command.args;
      const options = { ...command.opts<CliWords>(), ...(spec !== undefined && { spec }) };
      exitCode = await (await load()).run(given, options, surroundings);
    });
  }
  try {
    // `help run` would show the help of a command that is not loaded.
    const asked = words[0] === "help" ? [...words.slice(1, 2), "--help"] : words;
    await program.parseAsync(asked, { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    if (error.code === "commander.help") return 2;
    throw explainUsage(error, program, words[0]);
  }
}

function describeProgram({ terminal }: Surroundings, version: string): Command {
  return new Command("fixpoint")
    .description("Runs a plan of tasks with a coding agent, and recovers when a task fails.")
    .version(version)
    .usage("<command> [options]")
    .addHelpText("after", "\nExample:\n  $ fixpoint run my-feature --executor claude --recovery-mode")
    .enablePositionalOptions()
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.err(text),
      outputError: () => {},
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
    })
    .hook("preSubcommand", async (_program, command) => {
      const entry = entries.find(({ name }) => name === command.name());
      if (entry === undefined) return;
      const { options, example } = await entry.load();
      for (const option of options) command.addOption(optionOf(option));
      command.addHelpText("after", `\nExample:\n  $ ${example}`);
    });
}

function optionOf({ flags, summary, group, repeats }: CliOption): Option {
  const option = new Option(flags, summary);
  if (group !== undefined) option.helpGroup(`${group}:`);
  if (repeats) option.argParser((text: string, before: readonly string[] = []) => [...before, text]);
  return option;
}

function explainUsage({ message }: CommanderError, program: Command, word: string | undefined): InputError {
  const what = message.replace(/^error: /, "");
  const command = program.commands.find((each) => each.name() === word);
  const [, kind, typed = ""] = /^unknown (option|command) '([^'=]*)/.exec(what) ?? [];
  const known = kind === "option" ? [...(command ?? program).options.map(({ long }) => long ?? ""), "--help"] : names;
  const nearest = kind === undefined ? undefined : nearestName(typed, known);
  return new InputError(what.charAt(0).toUpperCase() + what.slice(1), {
    code: "bad-usage",
    hint:
      nearest === undefined
        ? `See fixpoint ${command === undefined ? "" : `${command.name()} `}--help`
        : `Did you mean ${nearest}?`,
  });
}
