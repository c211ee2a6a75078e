import assert from "node:assert/strict";
import { parse } from "yaml";
import { readFailureRecovery, writeFailureRecovery } from "../../../src/adapters/settings/failure-recovery.ts";
import { noEscalation } from "../../../src/model/escalation.ts";
import { orRefused } from "./refusal.ts";
import { pureSink } from "./sink.ts";

const documents = [
  "",
  "# state\nfeature: parser\nfailure_recovery:\n  pivot_count: 1 # so far\n  other: kept\nafter: [1, 2]\n",
  "failure_recovery: {last_error: old, research_findings: [a]}\n",
];
const kept = 200;

export const yamlSink = pureSink("YAML of another system", (text) => {
  const told = [...text].slice(0, kept).join("");
  const escalation = {
    ...{ ...noEscalation, lastError: told, lastFingerprint: told, fileStates: [told], findings: [told, `${told}.`] },
    approaches: [{ level: "pivot" as const, task: "1.1", strategy: told, error: told }],
  };
  for (const document of documents) {
    const after = writeFailureRecovery(document, escalation);
    const before = (parse(document) ?? {}) as Record<string, object>;
    const tracked = {
      ...{ consecutive_same_error: 0, iterations_without_change: 0, pivot_count: 0, research_count: 0 },
      ...{ last_error_hash: told, last_file_state_hash: told, current_strategy: told, last_error: told },
      research_findings: [told, `${told}.`],
    };
    assert.deepEqual(parse(after), { ...before, failure_recovery: { ...before["failure_recovery"], ...tracked } });
    readFailureRecovery(after);
  }
  orRefused(() => readFailureRecovery(text));
  orRefused(() => readFailureRecovery(`failure_recovery:\n  last_error: ${text}\n`));
});
