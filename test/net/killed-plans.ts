import type { PolicyInput } from "fixpoint";
import { failedReply } from "fixpoint/testing";
import type { KilledPlan } from "./killed-run.ts";

const block = (id: string, title = `Make ${id}`): string => {
  const [name = ""] = id.split(" ");
  return `- [ ] ${id} ${title}\n  - **Do**: Make it\n  - **Files**: src/${name}.ts\n  - **Done when**: It is there\n  - **Verify**: \`check ${name}\`\n  - **Commit**: \`feat: ${name}\`\n`;
};
const planOf = (...blocks: readonly string[]): string => `# Tasks\n\n## Phase 1: Work\n\n${blocks.join("\n")}`;
const two = planOf(block("1.1"), block("1.2"));
const tap = (...checks: readonly boolean[]): string =>
  `TAP version 13\n1..${checks.length}\n${checks.map((passes, at) => `${passes ? "ok" : "not ok"} ${at + 1} - ${"abc"[at]}\n`).join("")}`;
const gaveUp = (task: string, error: string) => ({ text: failedReply(task, error), exitCode: 1 });
const fix: PolicyInput = { recovery: ["fix"] };
const repair: PolicyInput = { recovery: ["repair"] };

export const killedPlans: readonly KilledPlan[] = [
  { name: "a clean plan", plan: two, policy: {}, outcome: "complete" },
  {
    name: "a fix",
    plan: two,
    policy: fix,
    outcome: "complete",
    replies: { "1.1#1": gaveUp("1.1", "boom") },
    fails: { "check 1.2": (done) => (done.has("1.2.1#1") ? "" : "two is not there\n") },
  },
  {
    name: "a fix below a fix",
    plan: two,
    policy: fix,
    outcome: "complete",
    replies: {
      "1.1#1": gaveUp("1.1", "boom"),
      "1.1.1#1": gaveUp("1.1.1", "bang"),
      "1.1.1.1#1": gaveUp("1.1.1.1", "crash"),
    },
  },
  {
    name: "failures that become fewer",
    plan: two,
    policy: { ...fix, maxFixTasksPerOriginal: 1 },
    outcome: "complete",
    fails: {
      "check 1.1": (done) => {
        const mended = ["1.1.1#1", "1.1.2#1", "1.1.3#1"].filter((key) => done.has(key)).length;
        return mended === 3 ? "" : tap(mended > 0, mended > 1, mended > 2);
      },
    },
  },
  {
    name: "the ladder to its checkpoint",
    plan: two,
    policy: {
      recovery: ["fix", "pivot", "research", "checkpoint"],
      ...{ maxFixTasksPerOriginal: 1, maxPivotAttempts: 1, maxResearchAttempts: 1 },
    },
    outcome: "checkpoint",
    replies: { "1.2": gaveUp("1.2", "boom") },
  },
  {
    name: "a repair by RETRY",
    plan: two,
    policy: repair,
    outcome: "complete",
    replies: { "1.1#1": gaveUp("1.1", "boom"), "1.1#1/askOperator": "RETRY: once more, with care" },
  },
  {
    name: "a repair by DECOMPOSE",
    plan: two,
    policy: repair,
    outcome: "complete",
    replies: {
      "1.1#1": gaveUp("1.1", "too much"),
      "1.1#1/askOperator": "DECOMPOSE: make the left half of it | make the right half of it",
      "1.1~2#1": gaveUp("1.1~2", "no right"),
      "1.1~2#1/askOperator": "RETRY: look to the right",
    },
  },
  {
    name: "a repair by PRUNE",
    plan: two,
    policy: repair,
    outcome: "skipped",
    replies: { "1.1#1": gaveUp("1.1", "boom"), "1.1#1/askOperator": "PRUNE: the server is not reachable" },
  },
  {
    name: "a repair by ESCALATE, and a person who says retry",
    plan: two,
    policy: repair,
    outcome: "complete",
    replies: { "1.1#1": gaveUp("1.1", "boom"), "1.1#1/askOperator": "ESCALATE: two ways | which one?" },
    person: { kind: "decided", decision: "retry" },
  },
  {
    name: "a batch of three with one that fails",
    plan: planOf(block("1.1 [P]"), block("1.2 [P]"), block("1.3 [P]"), block("1.4")),
    policy: { ...fix, maxParallel: 3 },
    outcome: "complete",
    replies: { "1.2#1": gaveUp("1.2", "boom") },
  },
  {
    name: "a question, and a person who says skip",
    plan: two,
    policy: {},
    outcome: "skipped",
    replies: { "1.1": "BLOCKED: Which of the two?" },
    person: { kind: "decided", decision: "skip" },
  },
  {
    name: "tasks that only verify",
    plan: planOf(block("V1 [VERIFY]", "Check one"), block("V2 [VERIFY]", "Check two")),
    policy: {},
    outcome: "complete",
    replies: { "V1#1": "VERIFICATION_FAIL", "V2#1": "TASK_COMPLETE" },
  },
];
