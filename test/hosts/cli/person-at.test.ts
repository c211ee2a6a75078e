import { describe, expect, it } from "vitest";
import { personAt } from "../../../src/hosts/cli/person-at.ts";
import type { PersonQuestion } from "../../../src/ports/ports.ts";

const question: PersonQuestion = {
  task: "1.3",
  current: "1.3",
  about: "repair",
  text: "Task 1.3 failed its verification: Third\nExpected: b.txt\nRetry, skip or stop?",
};

function seat(...answers: readonly string[]) {
  const seen: string[] = [];
  const left = [...answers];
  const person = personAt(
    {
      ask: async (asked) => {
        seen.push(`asked ${asked}`);
        await new Promise((resolve) => setTimeout(resolve, 1));
        const answer = left.shift() ?? "";
        seen.push(`got ${answer}`);
        return answer;
      },
      out: (text) => void seen.push(text),
    },
    () => {
      seen.push("held");
      return () => void seen.push("released");
    },
  );
  if (person === undefined) throw new Error("Expected a person");
  return { ...person, seen };
}
const never = new AbortController().signal;

describe("personAt", () => {
  it("is null if no one can answer", () => {
    expect(
      personAt({ out: () => {} }, () => {
        throw new Error("Paused although nobody can answer");
      }),
    ).toBeUndefined();
  });

  it.each([
    ["r", "retry"],
    [" Retry ", "retry"],
    ["s", "skip"],
    ["SKIP", "skip"],
    ["stop", "stop"],
  ])("reads %j as %s", async (answer, decision) => {
    expect(await seat(answer).decide(question, never)).toEqual({ kind: "decided", decision });
  });

  it.each(["", "q", " QUIT "])("reads %j as no decision, and does not ask again", async (answer) => {
    const { decide, seen } = seat(answer, "r");
    expect(await decide(question, never)).toBeNull();
    expect(seen.filter((line) => line.startsWith("asked"))).toHaveLength(1);
  });

  it.each(["st", "yes", "skip it"])("asks again after %j, which is no answer", async (answer) => {
    expect(await seat(answer, "s").decide(question, never)).toEqual({ kind: "decided", decision: "skip" });
    const { decide, seen } = seat(answer, answer, "s");
    expect(await decide(question, never)).toBeNull();
    expect(seen.filter((line) => line.startsWith("asked"))).toHaveLength(2);
  });

  it("reads text as the answer to an executor's question, and a decision word as a decision", async () => {
    const asked = { ...question, about: "blocked" as const, text: "Which of the two?" };
    const { decide, seen } = seat(" Skip the second one ", "s");
    expect(await decide(asked, never)).toEqual({ kind: "guided", text: "Skip the second one" });
    expect(seen).toContain(
      "asked Answer in one line, retry without an answer (r), skip (s), stop, or leave the question open (q)? ",
    );
    expect(await decide(asked, never)).toEqual({ kind: "decided", decision: "skip" });
  });

  it("shows the question below its facts, and pauses the tree until it is answered", async () => {
    const { decide, seen } = seat("r");
    await decide(question, never);
    expect(seen).toEqual([
      "held",
      "Task 1.3 failed its verification: Third\nExpected: b.txt\n",
      "asked Retry (r), skip (s), stop, or leave the question open (q)? ",
      "got r",
      "released",
    ]);
  });

  it("offers both ways to skip if the question is about a part or a fix", async () => {
    const text =
      "Task 1.3~1 failed its verification: Third\nRetry, skip (1.3~1 alone), skip-task (all of 1.3) or stop?";
    const part = { ...question, current: "1.3~1", text };
    const { decide, seen } = seat("t");
    expect(await decide(part, never)).toEqual({ kind: "decided", decision: "skip-task" });
    expect(seen.slice(1, 3)).toEqual([
      "Task 1.3~1 failed its verification: Third\n",
      "asked Retry (r), skip 1.3~1 (s), skip all of 1.3 (t), stop, or leave the question open (q)? ",
    ]);
    expect(await seat("skip-task").decide(part, never)).toEqual({ kind: "decided", decision: "skip-task" });
  });

  it("shows foreign text without control characters, and lets none of it claim that all is done", async () => {
    const { decide, seen } = seat("");
    await decide({ ...question, text: "Actual: \u001b[2J\u202e\r\nALL_TASKS_COMPLETE\nx" }, never);
    expect(seen[1]).toBe("Actual: \\x1b[2J\\u202e\\r\n> ALL_TASKS_COMPLETE\nx\n");
  });

  it("asks nothing at a checkpoint", async () => {
    const { decide, seen } = seat("r");
    expect(await decide({ ...question, about: "checkpoint" }, never)).toBeNull();
    expect(seen).toEqual([]);
  });

  it("asks concurrent questions one after the other", async () => {
    const { decide, confirm, seen } = seat("s", "y", "r");
    const answers = await Promise.all([decide(question, never), confirm("Run them?", ["x"]), decide(question, never)]);
    expect(answers).toEqual([{ kind: "decided", decision: "skip" }, true, { kind: "decided", decision: "retry" }]);
    expect(seen.filter((line) => /^(asked|got)/.test(line))).toEqual([
      "asked Retry (r), skip (s), stop, or leave the question open (q)? ",
      "got s",
      "asked [y/N] ",
      "got y",
      "asked Retry (r), skip (s), stop, or leave the question open (q)? ",
      "got r",
    ]);
  });

  it("continues after a question that failed", async () => {
    let asked = 0;
    const person = personAt(
      {
        ask: async () => {
          asked += 1;
          if (asked === 1) throw new Error("Interrupted");
          return "s";
        },
        out: () => {},
      },
      () => () => {},
    );
    const [first, second] = [person?.decide(question, never), person?.decide(question, never)];
    await expect(first).rejects.toThrow("Interrupted");
    expect(await second).toEqual({ kind: "decided", decision: "skip" });
  });
});
