import { clamp } from "../model/clamp.ts";
import type { FailedAttempt } from "../model/escalation-event.ts";
import type { FailureDigest } from "../model/failure.ts";
import { fingerprint } from "../model/fingerprint.ts";

/** Code points of each text that a machine keeps. */
const kept = 200;

/** The part of a failure that a machine keeps, with its signs of being stuck, as an orchestrator tells it. */
export const digestAttempt = ({ error, findings = [], changed = null, ...told }: FailedAttempt): FailureDigest => ({
  kind: "task",
  error: clamp(error, kept),
  attemptedFix: "",
  status: "",
  fingerprint: clamp(told.fingerprint ?? fingerprint(error), kept),
  signs: {
    strategy: clampOrNull(told.strategy),
    findings: findings.map((finding) => clamp(finding, kept)),
    admission: clampOrNull(told.admission),
    fileState: clampOrNull(told.fileState),
    changed,
  },
});

const clampOrNull = (text: string | null = null): string | null => text && clamp(text, kept);
