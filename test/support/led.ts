import type { Policy } from "../../src/model/policy.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { openSession, type Session } from "../../src/runtime/session.ts";

export function sessionAlong(policy: Policy, records: readonly RunRecord[]): Session {
  const state = newRun();
  for (const record of records) apply(state, record);
  return openSession({ policy, state, records });
}

export const asksPerson = (record: RunRecord): boolean => record.type === "answered" && record.answer.kind === "gate";
