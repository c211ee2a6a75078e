import { InputError } from "../../../model/errors.ts";
import type { CliCommand } from "../cli-command.ts";
import { complete, shells } from "../completion/complete.ts";

const names = Object.keys(shells) as (keyof typeof shells)[];

export const completion: CliCommand = {
  options: [],
  choices: { shell: names },
  example: "source <(fixpoint completion bash)",
  async run({ words: [given], files: typed = [], commands, surroundings: { terminal, folder } }) {
    const name = names.find((each) => each === given);
    if (name === undefined) throw unknownShell(given);
    const { script, render, join } = shells[name];
    if (typed.length === 0) terminal.out(script);
    else for (const found of await complete(commands, join(typed), folder)) terminal.out(`${render(found)}\n`);
    return 0;
  },
};

const unknownShell = (given = ""): InputError =>
  new InputError(`Cannot print a completion script for \`${given}\`, expected one of ${names.join(", ")}`, {
    code: "bad-usage",
    hint: "See fixpoint completion --help",
  });
