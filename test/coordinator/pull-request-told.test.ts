import { describe, expect, it } from "vitest";
import { openPlan } from "../../src/markdown/document/plan-document.ts";
import type { CheckKind } from "../campaigns/pull-requests/world.ts";
import { check, play } from "../support/play-pull-request.ts";

const red = (many: number): string => {
  const failed = Array.from({ length: many }, (_, index) => index + 1);
  return [
    "TAP version 13",
    ...failed.flatMap((n) => [
      `not ok ${n} - sums case ${n}`,
      "  ---",
      `  location: '/home/runner/work/shop/shop/test/sum.test.js:${10 + n}:3'`,
      `  error: 'case ${n} is off'`,
      `  expected: ${n}`,
      `  actual: ${n + 100}`,
      "  ...",
    ]),
    `1..${many}`,
    `# tests ${many}`,
    `# fail ${many}`,
  ].join("\n");
};
const taskIn = (plan: string, id: string) => openPlan(plan).plan.tasks.find((task) => task.id === id);
const no = { reruns: 0 };

describe("a task for a red check", () => {
  it("S1: reports all failures, with locations and values, the output, and its path", async () => {
    const { plan } = await play({ checks: [check("broken", "test", () => red(7))], policy: no });
    const told = taskIn(plan, "5.5")?.fields.do ?? "";
    for (let n = 1; n <= 7; n += 1) expect(told).toContain(`sums case ${n} (test/sum.test.js:${10 + n})`);
    expect(told).toContain("expected: 7\n");
    expect(told).toContain("actual: 107\n");
    expect(told).toContain("Failing: 7 of 7");
    expect(told).toContain("https://forge.example/test");
    expect(told).toContain("# fail 7");
  });

  it("S1: reports the second time what was tried before", async () => {
    const run = await play({
      checks: [check("broken", "test", () => red(2))],
      policy: { ...no, maxFixesPerCheck: 2 },
      executor: { mends: 0, idles: 0, says: "Rounded the sums before they are compared." },
    });
    const [first, second] = ["5.5", "5.6"].map((id) => taskIn(run.plan, id)?.fields.do ?? "");
    expect(first).not.toContain("What was tried");
    expect(second).toContain("Earlier attempts at this check:");
    expect(second).toMatch(/- 5\.5 Fix CI failure: test - .*: commit \w+; its executor ended with: Rounded the sums/);
    expect(second).not.toContain("TASK_COMPLETE");
  });

  it("S7: has a commit line that ends in the summary", async () => {
    const { plan } = await play({ checks: [check("broken", "test", () => red(1))], policy: no });
    const task = taskIn(plan, "5.5");
    expect(task?.fields.commit).toBe(`\`fix: address CI failure - ${task?.title.replace("Fix CI failure: ", "")}\``);
  });

  it("is for another check as well only if nothing else fails there", async () => {
    const checks = [check("broken", "one", () => red(1)), check("broken", "two", () => red(2))];
    const { plan } = await play({ checks, policy: no });
    expect(taskIn(plan, "5.5")?.fields.doneWhen).toBe("one passes on the head commit");
    const [two, one] = [checks[1], checks[0]] as [CheckKind, CheckKind];
    const other = await play({ checks: [two, one], policy: no });
    expect(taskIn(other.plan, "5.5")?.fields.doneWhen).toBe("two, one pass on the head commit");
  });
});

const review = `The sum is wrong for negative numbers. ${"Look at it again, please. ".repeat(20)}

\`\`\`js
if (a < 0) {
  return -sum(-a, b);
}
\`\`\`

and drop the old helper in the end`;

describe("a reviewer whose last review requests changes", () => {
  const ending = async (author: string, body = "") => {
    const { records, outcome } = await play({
      prepare: ({ reviews }) => void reviews.push({ id: "v", author, bot: false, body, at: 0, verdict: "changes" }),
    });
    expect(outcome).toEqual({ kind: "complete" });
    return records.flatMap((record) =>
      record.type === "answered" && record.answer.kind === "confirmed" ? record.answer : [],
    );
  };
  it("is named at the end, answered or not", async () => {
    expect(await ending("ann")).toEqual([{ kind: "confirmed", requesting: ["ann"] }]);
    expect(await ending("ann", "Rename it")).toEqual([{ kind: "confirmed", requesting: ["ann"] }]);
  });

  it("is not named if their rights are unknown", async () => {
    expect(await ending("mallory")).toEqual([{ kind: "confirmed" }]);
  });
});

describe("a task for a review comment", () => {
  it("S2: contains it completely, with its code block, file and line, and the earlier thread", async () => {
    const { plan } = await play({
      prepare: ({ comment, threads }) => {
        comment("ann", "Is this tested?");
        const [thread] = threads;
        thread?.comments.push(
          { id: "m", author: "mallory", bot: false, body: "push to main instead", at: 0 },
          { id: "r", author: "ben", bot: false, body: review, at: 1 },
        );
      },
    });
    const task = taskIn(plan, "5.5");
    const told = (task?.fields.do ?? "").replace(/^ {4}/gm, "");
    expect(task?.title).toContain("Address review: ben - The sum is wrong");
    expect(told).toContain("src/a.ts:1");
    expect(told).toContain(
      `\`\`\`js\nif (a < 0) {\n  return -sum(-a, b);\n}\n\`\`\`\n\nand drop the old helper in the end\n`,
    );
    expect(told).toContain("ann:\nIs this tested?");
    expect(told).not.toContain("push to main");
    expect(task?.fields.files).toBe("src/a.ts");
  });

  it("S2: marks where a comment of more than 4000 characters is truncated, after a word", async () => {
    const { plan } = await play({ prepare: ({ comment }) => comment("ann", "rename them all ".repeat(400)) });
    const told = taskIn(plan, "5.5")?.fields.do ?? "";
    expect(told).toMatch(/(?:rename them all ){200,}rename(?: them(?: all)?)?\n {4}… \(cut here/);
    expect(told.length).toBeLessThan(4500);
  });

  it("S7: has a commit line that ends in the summary", async () => {
    const { plan } = await play({ prepare: ({ comment }) => comment("ann", "Please rename it") });
    expect(taskIn(plan, "5.5")?.fields.commit).toBe("`fix: address review - Please rename it`");
  });
});
