import { digestOutput } from "../../src/digest/digest-output.ts";
import { encodeText } from "../../src/markdown/text/encode-text.ts";
import { plainLine } from "../../src/markdown/text/plain-line.ts";
import type { Failure } from "../../src/model/failure.ts";
import { fingerprint } from "../../src/model/text.ts";
import { findContradiction } from "../../src/parse/find-contradiction.ts";
import { parseApproach } from "../../src/parse/parse-approach.ts";
import { parseDirective } from "../../src/parse/parse-directive.ts";
import { parseFailure } from "../../src/parse/parse-failure.ts";
import { parseModificationRequest } from "../../src/parse/parse-modification-request.ts";
import { parseReview } from "../../src/parse/parse-review.ts";
import { findAdmission, findBlocker, parseSignal } from "../../src/parse/parse-signal.ts";
import { findingsIn, tellingLine } from "../../src/parse/telling-line.ts";
import { fenceText } from "../../src/prompt/fence-text.ts";
import { classifyFailure } from "../../src/recover/classify-failure.ts";
import { digestFailure } from "../../src/recover/digest-failure.ts";
import { readResetTime } from "../../src/recover/service-problem.ts";
import { classifyError, writeFixTask } from "../../src/recover/write-fix-task.ts";

const failureOf = (text: string): Failure => ({
  ...{ taskId: "1.1", failed: true, kind: "task", unstated: [], rawOutput: text },
  ...{ error: text, attemptedFix: text, status: text },
});

export const linearParsers: Readonly<Record<string, (output: string) => unknown>> = {
  parseSignal: (output) => parseSignal(output, "executor"),
  parseFailure: (output) => parseFailure(output, "1.1"),
  findBlocker,
  findContradiction,
  findAdmission,
  tellingLine,
  findingsIn,
  parseApproach,
  parseDirective,
  parseReview,
  parseModificationRequest,
  "parseModificationRequest of a request": (output) =>
    parseModificationRequest(`TASK_MODIFICATION_REQUEST\n\`\`\`json\n${output}\n\`\`\`\n`),
  classifyFailure: (output) =>
    classifyFailure({ reply: { text: output, stderr: output, exitCode: 1 }, failure: { kind: "task" } }, 0),
  readResetTime: (output) => readResetTime(output, 0),
  digestFailure: (output) => digestFailure(failureOf(output)),
  writeFixTask: (output) =>
    writeFixTask({
      task: { id: "1.1", title: "", fields: {} },
      failure: { kind: "task", error: output, attemptedFix: output },
      attempt: 1,
    }),
  digestOutput: (output) => digestOutput(output),
  classifyError,
  fingerprint,
  plainLine: (output) => plainLine(output, 500),
  "plainLine and encodeText": (output) => encodeText(plainLine(output, 500), "x "),
  fenceText: (output) => fenceText(output, "text"),
};
