import { describe, expect, it } from "vitest";
import { redactReplies } from "../../../../src/hosts/node/executors/redact-replies.ts";
import type { Delegation, Executor, WorkProgress } from "../../../../src/ports/executor.ts";

const redact = (text: string): string => text.replaceAll("s3cret", "***");
const never = new AbortController().signal;
const call = (execute: Executor, progress: (seen: WorkProgress) => void = () => {}) =>
  redactReplies(execute, redact)({} as Delegation, never, progress);

describe("redactReplies", () => {
  it("redacts every text of a reply", async () => {
    expect(await call(async () => "It is s3cret")).toBe("It is ***");
    const reply = {
      ...{ text: "s3cret", stderr: "key s3cret", exitCode: 1, usage: { costUsd: 1 } },
      problem: { kind: "auth", message: "s3cret is wrong", until: null },
      denials: [{ tool: "Bash", act: "echo s3cret" }],
      claim: { kind: "failed", error: "s3cret", learnings: ["s3cret", "none"], more: { deep: "s3cret" }, count: 3 },
    } as const;
    expect(await call(async () => reply as never)).toEqual(JSON.parse(redact(JSON.stringify(reply))));
    expect(await call(async () => ({ text: "nothing" }))).toStrictEqual({ text: "nothing" });
  });

  it("redacts the activity of an executor", async () => {
    const seen: unknown[] = [];
    const told = { type: "message", text: "now s3cret", at: 5, of: null } as never;
    await call(
      async (_delegation, _signal, progress) => {
        progress(told);
        return "done";
      },
      (each) => seen.push(each),
    );
    expect(seen).toEqual([{ type: "message", text: "now ***", at: 5, of: null }]);
  });

  it("passes on an invalid reply", async () => {
    expect(await call(async () => 7 as never)).toBe(7);
    expect(await call(async () => undefined as never)).toBeUndefined();
  });
});
