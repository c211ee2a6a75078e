import { plainLine } from "../../markdown/text/plain-line.ts";
import { EnvironmentError } from "../../model/errors.ts";
import type { GitEnd } from "./call-git.ts";

/** Characters of a message of git that are kept. */
const maxReason = 500;

/** The error for what git does not do. */
export const gitRefused = (verb: string, where: string, reason: string): EnvironmentError =>
  new EnvironmentError(`Cannot ${verb} in \`${plainLine(where, maxReason)}\`: ${plainLine(reason, maxReason)}`, {
    code: "git-refused",
    hint: "Make git accept it there by hand, then run again to go on",
  });

/** What git says last of why it ended. */
export function reasonOf(end: GitEnd | null): string {
  if (end === null) return "git cannot be started";
  if (end.exitCode === null) return "git was ended before it was done";
  const last = end.stderr.split("\n").findLast((line) => line.trim() !== "" && !line.startsWith("hint:"));
  return last ?? `git ended with ${end.exitCode}`;
}
