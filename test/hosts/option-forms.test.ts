import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunOptions } from "../../src/hosts/node/run-options.ts";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import { projectWith, twoTasks } from "../support/project.ts";

describe("an option of runSpec", () => {
  const start = (more: object) => {
    const { spec, workspace } = projectWith({ plan: twoTasks });
    const asked: string[] = [];
    const executor = async ({ taskId }: { readonly taskId: string }): Promise<string> => {
      asked.push(taskId);
      return "TASK_COMPLETE";
    };
    const options = { spec, workspace, yes: true, executors: { executor }, ...more } as RunOptions;
    return { ran: runSpec(options), asked, data: join(spec, ".fixpoint", "run-1") };
  };

  it.each([
    [
      { decision: "Retry" },
      "bad-option",
      'Cannot use `decision` "Retry", expected one of retry, skip, skip-task, stop',
    ],
    [{ guidance: "x".repeat(4001) }, "bad-option", "Cannot use `guidance` of 4001 characters, expected a text of"],
    [{ guidance: 7 }, "bad-option", "Cannot use `guidance` number, expected a text of at most 4000 characters"],
    [
      { ladder: { recoverymode: true } },
      "bad-option",
      'Cannot use `ladder` {"recoverymode":true}, expected true or false for recoveryMode, repair, escalation',
    ],
    [{ ladder: { repair: "yes" } }, "bad-option", "expected true or false for"],
    [{ decision: "stop" }, "nothing-to-decide", "expected a run that stopped with a question"],
  ] as const)("is refused if it would have no effect, before anything is written: %j", async (more, code, message) => {
    const { ran, asked, data } = start(more);
    await expect(ran).rejects.toMatchObject({ blame: "input", code, message: expect.stringContaining(message) });
    expect([asked, existsSync(data)]).toEqual([[], false]);
  });
});
