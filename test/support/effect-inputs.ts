import type { EffectInput } from "../../src/model/effect.ts";
import { noEscalation } from "../../src/model/escalation.ts";
import type { FailureDigest } from "../../src/model/failure.ts";
import { noLimits } from "../../src/model/limits.ts";

export const inputs = {
  delegate: (task: string, attempt = 1, more: Partial<EffectInput<"delegate">> = {}): EffectInput<"delegate"> => ({
    ...{ key: `${task}#${attempt}/delegate`, task, root: task, attempt, retries: 0, requireExecutorTick: false },
    ...{ limits: noLimits, grouped: false, climb: null, escalation: noEscalation, escalates: true, remedy: null },
    ...{ maxEvidence: 8000, adjustment: null, guidance: null, ...more },
  }),
  verify: (task: string, attempt = 1, more: Partial<EffectInput<"verify">> = {}): EffectInput<"verify"> => ({
    ...{ key: `${task}#${attempt}/verify`, task, trustExecutor: false, requireExecutorTick: false },
    ...{ requireCommit: false, timeoutMs: 1000, reviews: 0, ...more },
  }),
  readFailure: (task: string, attempt = 1): EffectInput<"readFailure"> => ({
    ...{ key: `${task}#${attempt}/readFailure`, task, waits: 0, watch: false },
  }),
  insertFix: (
    task: string,
    failure: FailureDigest,
    more: Partial<EffectInput<"insertFix">> = {},
  ): EffectInput<"insertFix"> => ({
    ...{ key: `${task}#1/insertFix`, task, fixOf: task, supersedes: null, failure, made: 0, scope: null },
    ...{ limits: noLimits, ...more },
  }),
  recordPass: (
    task: string,
    attempt = 1,
    more: Partial<EffectInput<"recordPass">> = {},
  ): EffectInput<"recordPass"> => ({
    ...{ key: `${task}#${attempt}/recordPass`, task, fixes: [], grouped: false, keepOpen: false, commit: false },
    ...{ repair: null, leftOut: 0, proof: { kind: "unverified" }, ...more },
  }),
};
