import type { VerifyEvidence } from "../model/evidence.ts";
import { clamp } from "./clamp.ts";

/** A Verify command that was run. */
export type VerifyRan = Extract<VerifyEvidence, { kind: "ran" }>;

/** Code points of an error. */
const maxError = 500;

/** What a Verify command that did not pass says: its exit code and the last line it printed. */
export function verifyError({ exitCode, timedOut, output }: VerifyRan): string {
  if (timedOut) return "Verify timed out";
  const end = exitCode === null ? "ended by a signal" : `exit ${exitCode}`;
  const said = lastLine(output.stderr) ?? lastLine(output.stdout);
  return clamp(`Verify failed (${end})${said === undefined ? "" : `: ${said}`}`, maxError);
}

const lastLine = (text: string): string | undefined =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .findLast((line) => line !== "");
