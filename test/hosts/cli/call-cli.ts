import { runCli } from "../../../src/hosts/cli/run-cli.ts";
import type { Terminal } from "../../../src/hosts/cli/terminal.ts";
import { fakeTerminal } from "./fake-terminal.ts";

interface Call {
  readonly look?: Partial<Terminal>;
  readonly signal?: AbortSignal;
}

/** Start the command line of version 1.2.3 in this process; `printed` grows while it runs. */
export function beginCli(
  folder: string,
  words: readonly string[],
  { look = {}, signal = new AbortController().signal }: Call = {},
) {
  const terminal = fakeTerminal(look);
  return { ended: runCli(words, { terminal, folder, signal }, "1.2.3"), printed: terminal.printed };
}

/** Call it, and wait for its end. */
export async function callCli(folder: string, words: readonly string[], how: Call = {}) {
  const { ended, printed } = beginCli(folder, words, how);
  return { exitCode: await ended, ...printed };
}
