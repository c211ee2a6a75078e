import type { CheckRan, CompletionEvidence, Finding, Proof } from "../model/evidence.ts";
import type { MadeFor } from "../model/failure.ts";
import { compareSets, setOfRun } from "../model/failure-set.ts";
import { verifyError } from "./verify-error.ts";

/** Whether an attempt changed a file; null if unknown. */
export const hasChanged = ({ changedFiles, git }: CompletionEvidence): boolean | null =>
  changedFiles !== undefined ? changedFiles : git && git.changed.length > 0;

/** Judge a task's Verify result. */
export function judgeVerify(
  evidence: CompletionEvidence & { verify: NonNullable<CompletionEvidence["verify"]> },
): Finding {
  const { verify, madeFor, proof } = evidence;
  if (verify.kind === "trusted") return { kind: "unverified", note: "not run: executors are trusted" };
  if (verify.kind === "unrunnable") return { kind: "unverified", note: `no Verify ran: ${verify.reason}` };
  // Excused checks may be red besides.
  if (proof != null) return { kind: "accepted", note: tellProof(proof) };
  if (verify.exitCode === 0 && !verify.timedOut) return { kind: "accepted" };
  if (!verify.timedOut && (verify.exitCode === 126 || verify.exitCode === 127)) {
    return { kind: "undecided", reason: "the Verify command cannot run" };
  }
  const error = verifyError(verify);
  // The copied Verify covers the whole original task, while this fix had to remove one failure.
  if (madeFor !== null && !verify.timedOut && hasHelped(madeFor, verify) && hasChanged(evidence) !== false) {
    return { kind: "accepted", note: `the original failure is gone; still failing: ${error}` };
  }
  return { kind: "failed", reason: error };
}

const tellProof = (proof: Proof): string => (proof.kind === "unproven" ? `unproven: ${proof.reason}` : proof.kind);

/**
 * Whether the same command shows that the failure behind a fix is gone and nothing new fails. Without names, there must
 * be fewer failures.
 */
function hasHelped({ failing, first, command }: MadeFor, run: CheckRan): boolean {
  const now = setOfRun(run);
  if (failing === undefined || now === null) return false;
  if (command !== undefined && run.command !== undefined && run.command !== command) return false;
  const isGone = first === undefined || now.ids?.includes(first) === false;
  return isGone && compareSets(failing, now) === "progress";
}
