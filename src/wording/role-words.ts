import { isPerson, type Speaker } from "../model/person-event.ts";
import type { Raced } from "../model/reply.ts";
import type { Role } from "../model/role.ts";

interface RoleWords {
  readonly called: string;
  readonly does: string;
  readonly asked: (task: string, attempt: number) => string;
  readonly attempt: string;
}

const onTask = {
  asked: (task: string, attempt: number) => `delegated ${task} (attempt ${attempt})`,
  attempt: "attempt",
} as const;

export const roleWords: Readonly<Record<Role, RoleWords>> = {
  executor: { called: "executor", does: "does tasks", ...onTask },
  verifier: { called: "verifier", does: "does [VERIFY] tasks", ...onTask },
  operator: {
    called: "repair operator",
    does: "decides how a failed task is repaired",
    asked: (task, round) => `asked the repair operator about ${task} (round ${round})`,
    attempt: "repair operator, round",
  },
  reviewer: {
    called: "reviewer",
    does: "reviews finished work",
    asked: (task, round) => `delegated the review of ${task} (round ${round})`,
    attempt: "review",
  },
};

export const racedWords: Record<Raced, string> = {
  proven: "proven",
  unproven: "claims to be done, not proven",
  failed: "failed",
  unable: "could not work",
  stopped: "stopped, since another attempt was proven",
};

/** Describe the sender of a message, not escaped: `bash, process 4711, at /dev/pts/3`. */
export function renderSpeaker({ kind, terminal, process, pid }: Speaker): string {
  const parts = [
    ...(process === null ? [] : [process]),
    ...(pid === null ? [] : [`process ${pid}`]),
    ...(terminal === null ? [] : [`at ${terminal}`]),
    ...(kind === "page" ? ["over the page"] : []),
  ];
  return parts.length === 0 ? "an unknown process" : parts.join(", ");
}

export const renderSayer = (by: Speaker | undefined): string => (isPerson(by) ? "a person" : "a program");

/** The sender in parentheses, to put after a message. Empty if the sender is fixpoint itself or is not recorded. */
export const saidBy = (by: Speaker | undefined): string => (by === undefined ? "" : ` (${renderSpeaker(by)})`);
