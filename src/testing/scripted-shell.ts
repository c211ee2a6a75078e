import type { CommandResult, Shell } from "../ports/shell.ts";

/** A shell for tests: per command the results of its first, second, … run; after the last entry it exits with 0. */
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
