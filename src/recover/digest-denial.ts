import type { FailureDigest } from "../model/failure.ts";
import { fingerprint } from "../model/fingerprint.ts";
import type { DeniedAct } from "../model/permissions.ts";

/** What is read from an attempt that was not accepted and whose tool did not allow something. */
export function digestDenial(denied: DeniedAct): FailureDigest {
  const error = `${denied.tool} was not allowed: ${denied.act}`;
  return {
    kind: "permission",
    error,
    attemptedFix: "No fix attempted",
    status: "Not allowed",
    fingerprint: fingerprint(error),
    until: null,
    denied,
  };
}
