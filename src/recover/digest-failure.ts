import type { Failure, FailureDigest } from "../model/failure.ts";
import { clamp } from "./clamp.ts";
import { fingerprint } from "./fingerprint.ts";

/** Code points of each text that a machine keeps. */
const kept = 200;

/** The part of a failure that a machine keeps. */
export const digestFailure = ({ kind, error, attemptedFix, status, until }: Failure): FailureDigest => ({
  kind,
  error: clamp(error, kept),
  attemptedFix: clamp(attemptedFix, kept),
  status: clamp(status, kept),
  fingerprint: fingerprint(error),
  ...(until !== undefined && { until }),
});
