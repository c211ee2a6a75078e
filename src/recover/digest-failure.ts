import { clamp } from "../model/clamp.ts";
import type { Failure, FailureDigest } from "../model/failure.ts";
import type { FailureSet } from "../model/failure-set.ts";
import { fingerprint } from "../model/fingerprint.ts";
import { hashText } from "../model/hash-text.ts";

/** Code points of each text that a machine keeps. */
const kept = 500;

/** The part of a failure that a machine keeps. */
export const digestFailure = (failure: Failure): FailureDigest => {
  const { kind, error, attemptedFix, status, unstated, until, failing, evidence, cutOff } = failure;
  return {
    kind,
    error: clamp(error, kept),
    attemptedFix: clamp(attemptedFix, kept),
    status: clamp(status, kept),
    fingerprint: failing === undefined ? fingerprint(error) : fingerprintOf(failing),
    ...(unstated.length > 0 && { unstated: [...unstated] }),
    ...(failing !== undefined && { failing }),
    ...(evidence !== undefined && { evidence }),
    ...(until !== undefined && { until }),
    ...(cutOff !== undefined && { cutOff }),
  };
};

/** Sets with the same members have the same one; of those without names, sets of the same size. */
const fingerprintOf = ({ stage, count, ids }: FailureSet): string =>
  hashText(`${stage} ${count}`) + hashText(ids === null ? stage : ids.join(" "));
