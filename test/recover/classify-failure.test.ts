import { describe, expect, it } from "vitest";
import type { Reply } from "../../src/model/reply.ts";
import { classifyFailure } from "../../src/recover/classify-failure.ts";

describe("classifyFailure", () => {
  it.each([
    [{ text: "x", ended: "timeout" }, "timeout"],
    [{ text: "x", ended: "idle" }, "timeout"],
    [{ text: "x", ended: "flood" }, "timeout"],
    [{ text: "x", ended: "signal" }, "crash"],
    [{ text: "x", ended: "spawn" }, "crash"],
    [{ text: " \n", exitCode: 1 }, "crash"],
    [{ text: "", stderr: "\n", exitCode: 1 }, "crash"],
    [{ text: "", stderr: "no key", exitCode: 1 }, "task"],
    [{ text: "x", exitCode: 1 }, "task"],
    [{ text: "", exitCode: 0, ended: "exit" }, "task"],
    [{ text: "" }, "task"],
  ] satisfies [Reply, string][])("takes %j for a %s", (reply, kind) => {
    expect(classifyFailure({ reply, failure: { kind: "task" } })).toBe(kind);
  });

  it("keeps the kind of a failure whose executor ended by itself", () => {
    expect(classifyFailure({ reply: { text: "x" }, failure: { kind: "timeout" } })).toBe("timeout");
  });
});
