import assert from "node:assert/strict";
import { findContradiction } from "../../../src/parse/find-contradiction.ts";
import { parseApproach } from "../../../src/parse/parse-approach.ts";
import { parseDirective } from "../../../src/parse/parse-directive.ts";
import { parseFailure } from "../../../src/parse/parse-failure.ts";
import { parseModificationRequest } from "../../../src/parse/parse-modification-request.ts";
import { parseReview } from "../../../src/parse/parse-review.ts";
import { findAdmission, parseSignal } from "../../../src/parse/parse-signal.ts";
import { classifyFailure } from "../../../src/recover/classify-failure.ts";
import { digestFailure } from "../../../src/recover/digest-failure.ts";
import { writeFixTask } from "../../../src/recover/write-fix-task.ts";
import { slowReading } from "./slow-reading.ts";

const claims = {
  executor: ["TASK_COMPLETE", "ALL_TASKS_COMPLETE"],
  verifier: ["VERIFICATION_PASS"],
  reviewer: ["REVIEW_PASS"],
};
const task = { id: "1.1", title: "Add it", fields: { commit: "feat(a): add" } };
const isNamed = /(?<![\w.])1\.1(?!\w|\.\w)/;
const lengthOf = (text: string): number => [...text].length;

const atEnd = (text: string): string[] =>
  text
    .trimEnd()
    .split(/\r\n|\r|\n/)
    .slice(-3);

const withoutMarks = (line: string): string =>
  line.replace(/<\/?promise>|\[[xX]\]/g, "").replace(/^[^A-Za-z]+|[^A-Za-z]+$/g, "");

export function checkReply(text: string): void {
  const { spoken, last } = slowReading(text);
  for (const role of ["executor", "verifier", "reviewer"] as const) {
    const signal = parseSignal(text, role);
    const claimed = spoken.some((line) => claims[role].includes(line));
    const mayClaim = [...spoken, ...atEnd(text)].some((line) => claims[role].includes(withoutMarks(line)));
    if (signal === "complete") assert.ok(mayClaim, `${role} is read as a claim that no line makes`);
    if (signal === null || signal === "misplaced") assert.ok(!claimed, `${role} makes a claim that is not read`);
    if (signal === "failed")
      assert.ok(spoken.some((line) => line === "VERIFICATION_FAIL" || /Task.*FAILED/su.test(line)));
  }
  assertFailure(text, spoken);
  const review = parseReview(text);
  assert.ok(review.code.length <= 2000 && review.spec.length <= 2000);
  if (review.verdict !== "none") assert.equal(last, review.verdict === "pass" ? "REVIEW_PASS" : "REVIEW_FAIL");
  const request = parseModificationRequest(text);
  if (request.kind !== "none") assert.ok(spoken.includes("TASK_MODIFICATION_REQUEST"));
  if (request.kind === "request")
    assert.ok(request.request.proposedTasks.length <= 20 && lengthOf(request.request.reasoning) <= 500);
  const directive = parseDirective(text);
  if (directive.kind === "directive") {
    const name = directive.directive.strategy.toUpperCase();
    assert.ok(
      spoken.some((line) => line.replace(/^\*\*/, "").startsWith(name)),
      "a directive is read that no line gives",
    );
  }
  const { strategy, findings } = parseApproach(text);
  assert.ok(findings.length <= 10 && [strategy ?? "", ...findings].every((said) => lengthOf(said) <= 200));
  assert.ok((findAdmission(text)?.length ?? 0) < 80 && (findContradiction(text)?.length ?? 0) <= 600);
}

function assertFailure(text: string, spoken: readonly string[]): void {
  const failure = parseFailure(text, "1.1");
  const { error, attemptedFix, status, unstated } = failure;
  assert.equal(failure.taskId, "1.1");
  for (const told of [error, attemptedFix, status])
    assert.ok(told !== "" && !/[\n\r]/.test(told) && told.length < 40_000);
  if (!unstated.includes("status"))
    assert.ok(spoken.some((line) => isNamed.test(line.replace(/[*_]/g, " ")) && line.includes("FAILED")));
  const { kind } = classifyFailure({ reply: { text, stderr: text, exitCode: 1 }, failure }, 0);
  assert.equal(typeof kind, "string");
  const digest = digestFailure({ ...failure, kind });
  assert.match(digest.fingerprint, /^[\da-f]{16}$/);
  for (const told of [digest.error, digest.attemptedFix, digest.status]) assert.ok(lengthOf(told) <= 500);
  const fix = writeFixTask({ task, failure, attempt: 1 });
  assert.ok(lengthOf(fix.summary) <= 50 && lengthOf(fix.error) <= 500 && lengthOf(fix.attemptedFix) <= 500);
  assert.match(fix.commit, /^fix\(a\): address [a-z ]+ from task 1\.1$/);
}
