import type { Terminal } from "../../../src/hosts/cli/cli-command.ts";
import { runCli } from "../../../src/hosts/cli/run-cli.ts";
import { fakeTerminal } from "./fake-terminal.ts";

interface Call {
  readonly look?: Partial<Terminal>;
  readonly signal?: AbortSignal;
}

export async function callCli(
  folder: string,
  words: readonly string[],
  { look = {}, signal = new AbortController().signal }: Call = {},
) {
  const terminal = fakeTerminal(look);
  return { exitCode: await runCli(words, { terminal, folder, signal }, "1.2.3"), ...terminal.printed };
}
