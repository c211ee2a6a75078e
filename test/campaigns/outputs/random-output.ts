import type { Chance } from "../../support/hostile/chance.ts";
import { mutateText } from "../../support/hostile/mutate-text.ts";

const words =
  "I have added the parser and the tests pass now not sure what is causing it requires manual intervention without".split(
    " ",
  );

const paragraphs: readonly ((chance: Chance) => string)[] = [
  (chance) => Array.from({ length: 1 + chance.below(12) }, () => chance.pick(words)).join(" "),
  () => "TASK_COMPLETE",
  () => "ALL_TASKS_COMPLETE",
  (chance) => chance.pick(["VERIFICATION_PASS", "VERIFICATION_FAIL", "REVIEW_PASS", "REVIEW_FAIL"]),
  (chance) =>
    `Task ${chance.pick(["1.1", "1.10", "1.1.1", "T001"])}: Add it FAILED\n- Error: ${errorOf(chance)}\n- Attempted fix: ${errorOf(chance)}\n- Status: Blocked`,
  (chance) => `## Task **1.1**: FAILED\n**Error:** ${errorOf(chance)}\n  more of it\n* Status: ${errorOf(chance)}`,
  (chance) =>
    `${chance.pick(["```", "~~~", "````"])}${chance.pick(["", "text", "bash", "json"])}\n${errorOf(chance)}\n${chance.pick(["```", "~~~", "````", ""])}`,
  (chance) => `> ${errorOf(chance)}`,
  (chance) => `- CODE: ${errorOf(chance)}\n- SPEC: ${errorOf(chance)}`,
  (chance) => `${chance.pick(["Trying", "**Found**", "New Approach"])}: ${errorOf(chance)}`,
  (chance) =>
    chance.pick(["RETRY: use the other flag", "DECOMPOSE: a | b | c", "PRUNE: not needed", "ESCALATE: all | what now"]),
  (chance) =>
    `TASK_MODIFICATION_REQUEST\n\`\`\`json\n${JSON.stringify({ type: chance.pick(["SPLIT_TASK", "ADD_FOLLOWUP"]), originalTaskId: "1.1", reasoning: errorOf(chance), proposedTasks: ["- [ ] 1.4 Add\n  - **Do**: Add\n  - **Verify**: `true`"] })}\n\`\`\``,
];

const errors = [
  "src/a.ts(12,5): error TS2339: Property 'x' does not exist",
  "ENOENT: no such file or directory, open '/work/a'",
  "HTTP 429 too many requests, try again in 5m30s",
  "Expected 1 to be 2 at 2026-01-01T10:00:00Z",
  "AssertionError [ERR_ASSERTION]: 0x7fff12ab in 3.5 s",
  "`npm test` timed out after 30s",
  "Error: connect ECONNREFUSED 127.0.0.1:5432",
];
const errorOf = (chance: Chance): string => chance.pick(errors);

const events = [
  '{"type":"error","message":"no\\nTASK_COMPLETE","severity":"error","error":{"message":"no\\nTASK_COMPLETE"}}',
  '{"type":"turn.failed","error":{"message":"no\\nTASK_COMPLETE"}}',
  '{"type":"assistant","message":{"content":[{"type":"text","text":"TASK_COMPLETE"}],"usage":{"input_tokens":3}},"error":"rate_limit"}',
  '{"type":"result","subtype":"success","is_error":false,"result":"Done\\nTASK_COMPLETE","total_cost_usd":0.1,"usage":{"input_tokens":1,"output_tokens":2}}',
  '{"type":"result","subtype":"error_during_execution","is_error":true,"errors":["usage limit reached|1900000000"],"api_error_status":429}',
  '{"type":"item.completed","item":{"type":"agent_message","text":"TASK_COMPLETE"}}',
  '{"type":"turn.failed","error":{"message":"try again at Aug 20th, 2026 11:50 AM"}}',
  '{"type":"error","error":{"name":"ProviderAuthError","data":{"message":"not logged in","statusCode":401}},"severity":"error","message":"x"}',
  '{"type":"text","part":{"text":"TASK_COMPLETE","tokens":{"input":1}}}',
  '{"type":"session.error","data":{"errorType":"quota","message":"quota exceeded","statusCode":429}}',
  '{"type":"assistant.message","data":{"content":"TASK_COMPLETE","outputTokens":3}}',
  '{"type":"message","role":"assistant","text":"TASK_COMPLETE","content":"x","message":{"role":"assistant","id":"1","content":[{"type":"text","text":"y"}]}}',
  '{"type":"completion","finalText":"TASK_COMPLETE","usage":{"input_tokens":1},"isError":false}',
  '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1900000000}}',
  '{"type":"system","subtype":"api_retry","error_status":529,"error":"overloaded_error"}',
];
const keys = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "rate_limit", "1e999", "-1", ""];

export function randomReply(chance: Chance): string {
  const parts = Array.from({ length: 1 + chance.below(5) }, () => chance.pick(paragraphs)(chance));
  return mutateText(parts.join(chance.pick(["\n", "\n\n", "\r\n", "\r", " "])), chance);
}

export function randomStream(chance: Chance): readonly string[] {
  const lines = Array.from({ length: 1 + chance.below(4) }, () => chance.pick(events));
  return lines.map((line) => {
    if (chance.below(3) === 0)
      return line.replace(/"(?:rate_limit|quota|ProviderAuthError|success|1)"/, `"${chance.pick(keys)}"`);
    return chance.below(2) === 0 ? line : mutateText(line, chance, 2);
  });
}
