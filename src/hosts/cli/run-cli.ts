import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { FixpointError, InputError } from "../../model/errors.ts";
import { nearestName } from "../../model/text.ts";
import { type CliOption, isLong, type OptionValues, type Surroundings } from "./cli-command.ts";
import { entries, filesBehind } from "./command-entries.ts";

const helpAll = "--help-all";
const names = entries.map(({ name }) => name);

/**
 * Run a command line. The file of a command, with its options, is loaded when the command is called.
 *
 * @param words Words of the command line without the program name.
 * @returns The exit code.
 * @throws {InputError} `bad-usage`, and the errors of the command
 */
export async function runCli(words: readonly string[], surroundings: Surroundings, version: string): Promise<number> {
  let exitCode = 0;
  const program = describeProgram(surroundings, version, words.includes(helpAll));
  for (const { name, argument, summary, load } of entries) {
    const command = program.command(name).description(summary);
    if (argument !== "") command.arguments(argument);
    command.action(async () => {
      const values = command.opts<OptionValues>();
      const cut = argument.endsWith(filesBehind) ? words.indexOf("--") : -1;
      const files = cut === -1 ? [] : words.slice(cut + 1);
      const own = command.args.slice(0, command.args.length - files.length);
      try {
        exitCode = await (await load()).run({ words: own, files, values, commands: entries, surroundings });
      } catch (error) {
        if (!(error instanceof FixpointError) || error.ways.length === 0) throw error;
        const { withLines } = await import("./call-address.ts");
        const spec = own[argument.startsWith("<") ? 1 : 0];
        throw await withLines(error, { command: name, spec, values, folder: surroundings.folder });
      }
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

/** @param inFull Whether the help shows all options of a command. */
function describeProgram({ terminal }: Surroundings, version: string, inFull: boolean): Command {
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
      const isShort = isLong(options) && !inFull;
      for (const option of options) command.addOption(optionOf(option, isShort, command));
      if (isLong(options)) {
        command
          .option(helpAll, `show all ${options.length} options`)
          .on(`option:${helpAll.slice(2)}`, () => command.help());
      }
      command.addHelpText("after", `\nExample:\n  $ ${example}`);
    });
}

/**
 * @param isShort Whether the help shows only basic options, without headings.
 * @param command Command whose options are no value of this option: then the value was forgotten.
 */
function optionOf(
  { flags, summary, details, basic, group, repeats }: CliOption,
  isShort: boolean,
  command: Command,
): Option {
  const option = new Option(flags, isShort || details === undefined ? summary : `${summary}. ${details}`);
  if (isShort) option.hideHelp(basic !== true);
  else if (group !== undefined) option.helpGroup(`${group}:`);
  if (!option.required) return option;
  return option.argParser<string | readonly string[]>((text, before = []) => {
    if (command.options.some(({ short, long }) => text === short || text === long)) {
      throw new InvalidArgumentError(`Expected a value before ${text}`);
    }
    return repeats ? [...before, text] : text;
  });
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
