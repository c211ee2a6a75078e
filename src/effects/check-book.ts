import type { NotedCheck } from "../ports/attempt-record.ts";

/** The commands that checked something in this run, to hold a later output against an earlier one. */
export interface CheckBook {
  note(check: NotedCheck): void;
  last(command: string): NotedCheck | null;
}

export function createCheckBook(): CheckBook {
  const passed = new Map<string, NotedCheck>();
  const failed = new Map<string, NotedCheck>();
  return {
    note: (check) => (check.passed ? passed : failed).set(check.command, check),
    last: (command) => passed.get(command) ?? failed.get(command) ?? null,
  };
}
