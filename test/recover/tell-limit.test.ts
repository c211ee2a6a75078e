import { describe, expect, it } from "vitest";
import type { Reply } from "../../src/model/reply.ts";
import { tellLimit } from "../../src/recover/tell-limit.ts";

describe("tellLimit", () => {
  it.each([
    [{ ended: "timeout", limit: 300 }, "Stopped after 300ms (--task-timeout)"],
    [{ ended: "timeout", limit: 1_800_000 }, "Stopped after 30m (--task-timeout)"],
    [{ ended: "idle", limit: 90_000 }, "Stopped after 90s without output (--idle-timeout)"],
    [{ ended: "flood", limit: 256 * 1024 * 1024 }, "Stopped after 256 MiB of output (--max-output)"],
    [{ ended: "timeout" }, null],
    [{ ended: "signal" }, null],
    [{ ended: "signal", limit: 300 }, null],
    [{ ended: "exit" }, null],
    [{}, null],
  ] satisfies [Pick<Reply, "ended" | "limit">, string | null][])("tells %j", (reply, told) => {
    expect(tellLimit(reply)).toBe(told);
  });
});
