import type { CommandResult, Shell } from "../ports/shell.ts";

/** Create a shell for tests from its results by command, in the order of runs; exit code 0 after the last result. */
export function scriptedShell(script: Readonly<Record<string, readonly Partial<CommandResult>[]>> = {}): Shell {
  const calls = new Map<string, number>();
  return {
    run: async (command) => {
      const call = calls.get(command) ?? 0;
      calls.set(command, call + 1);
      return { exitCode: 0, stdout: "", stderr: "", durationMs: 0, timedOut: false, ...script[command]?.[call] };
    },
    exists: async () => true,
  };
}
