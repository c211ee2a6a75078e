import type { FailureDigest, FailureEvidence } from "../../src/model/failure.ts";
import {
  type FailedCheck,
  type FailureSet,
  failureSetOf,
  nameOfCheck,
  type OutputDigest,
} from "../../src/model/failure-set.ts";
import { fingerprint } from "../../src/model/text.ts";

export const failedCheck = (id: string, part: Partial<FailedCheck> = {}): FailedCheck => ({
  ...{ tool: "vitest", id, file: null, line: null, message: `${id} is wrong` },
  ...part,
});

export const nameOf = (id: string): string => nameOfCheck(failedCheck(id));

export const digestOf = (ids: readonly string[], part: Partial<OutputDigest> = {}): OutputDigest => ({
  source: "tools",
  failures: ids.map((id) => failedCheck(id)),
  failed: ids.length,
  ran: null,
  head: "",
  tail: "",
  ...part,
});

export const setOf = (...ids: readonly string[]): FailureSet => failureSetOf(digestOf(ids)) as FailureSet;

export const countOf = (count: number, part: Partial<FailureSet> = {}): FailureSet => ({
  ...{ stage: "vitest", count, ids: null, ran: null },
  ...part,
});

export const evidenceWith = (
  ids: readonly string[],
  part: Partial<NonNullable<FailureEvidence["command"]>> = {},
): FailureEvidence => ({
  command: {
    ...{ line: "npm test", exitCode: 1, timedOut: false, source: "tools", head: "", tail: "" },
    failures: ids.map((id) => failedCheck(id)),
    ...part,
  },
  claim: "TASK_COMPLETE",
  findings: "",
});

export const plainFailure = (error: string, part: Partial<FailureDigest> = {}): FailureDigest => ({
  ...{ kind: "task", error, attemptedFix: "", status: "", fingerprint: fingerprint(error) },
  ...part,
});

export const measuredFailure = (ids: readonly string[], part: Partial<FailureDigest> = {}): FailureDigest => ({
  ...plainFailure(`Verify failed (exit 1), ${ids.length} failing: ${ids[0]}`),
  ...{ fingerprint: `#${ids.join()}`, failing: setOf(...ids), evidence: evidenceWith(ids) },
  ...part,
});
