import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Recording, TaskStories } from "../../../../src/model/frame.ts";
import { unpackFrames } from "../../../../src/runtime/pack-frames.ts";
import { writeScript } from "../../../support/folder.ts";
import { callCli } from "../call-cli.ts";
import { clumsy, planText, workspaceWith } from "../sample-spec.ts";

const call = (folder: string, ...words: string[]) => callCli(folder, words);
const dataIn = (page: string, id: string): unknown => {
  const text = new RegExp(`<script id="${id}"[^>]*>([^<]*)<`).exec(page)?.[1] ?? "";
  return JSON.parse(gunzipSync(Buffer.from(text, "base64")).toString());
};

describe("fixpoint export", () => {
  it("prints a page with every step and the evidence of the run", async () => {
    const workspace = workspaceWith();
    await call(workspace, "run", "--exec", clumsy(workspace), "--yes", "--recovery-mode");
    const { exitCode, out } = await call(workspace, "export", "demo");
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^<!doctype html>/);
    const recording = Recording.strict().parse(dataIn(out, "recording"));
    const stories = TaskStories.parse(dataIn(out, "stories"));
    expect(recording.tasks.map(({ id, depth, done }) => [id, depth, done])).toEqual([
      ["1.1", 0, true],
      ["1.2", 0, false],
      ["1.2.1", 1, false],
      ["1.3", 0, false],
    ]);
    const frames = unpackFrames(recording.frames);
    expect(frames.at(-1)).toMatchObject({ cause: "ended", ending: "complete" });
    expect(stories["1.2"]?.told.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["delegated", "judged", "failed", "decided", "inserted", "passed"]),
    );
    expect(stories["1.2"]?.printed[0]).toMatchObject({
      attempt: 1,
      message: { text: expect.stringContaining("TASK_COMPLETE") },
      verify: { command: "test -f a.txt", exitCode: 1 },
    });
    expect((await call(workspace, "why", "1.2")).out).toContain(
      stories["1.2"]?.told.find(({ kind }) => kind === "decided")?.head,
    );
  });

  it("keeps the ends of what was printed, at most 64 KiB of an attempt, without escape sequences", async () => {
    const workspace = workspaceWith(
      planText.replace("test -f a.txt", "seq 90000; printf '\\033[31mlast line\\033[0m'; false"),
    );
    const loud = writeScript(workspace, "loud", "cat > prompt.txt; seq 90000; echo TASK_COMPLETE");
    await call(workspace, "run", "--exec", loud, "--yes", "--max-task-iterations", "1");
    const stories = TaskStories.parse(dataIn((await call(workspace, "export", "demo")).out, "stories"));
    const [printed] = stories["1.2"]?.printed ?? [];
    const [message, output] = [printed?.message, printed?.verify?.output];
    expect((message?.text.length ?? 0) + (output?.text.length ?? 0)).toBe(64 * 1024);
    expect([message?.text.endsWith("TASK_COMPLETE\n"), message?.left]).toEqual([true, expect.any(Number)]);
    expect(output?.text.endsWith("90000\nlast line")).toBe(true);
    expect(output?.left).toBeGreaterThan(0);
  });

  it("prints a summary in which texts of others are code", async () => {
    const workspace = workspaceWith(planText.replace("1.2 Second", "1.2 Ask @everyone <b>"));
    const failing = writeScript(
      workspace,
      "failing",
      "cat > prompt.txt; echo 'Task 1.2: x FAILED'; echo '- Error: see @admins and ![x](http://evil.test)'",
    );
    await call(workspace, "run", "--exec", failing, "--yes", "--max-task-iterations", "1");
    const { out } = await call(workspace, "export", "demo", "--format", "md");
    expect(out).toMatch(/^# `demo`: stopped at a limit\n\n1 of 3 tasks done, 1 delegation, /);
    expect(out).toContain(
      "## What needs a look\n\n- failed `1.2 Ask @everyone <b>`: `see @admins and !(x)(http://evil.test)`\n",
    );
    expect(out.replaceAll(/`[^`]*`/g, "")).not.toMatch(/@|evil|<b>/);
    expect((await call(workspace, "export", "demo", "--format", "md", "--run", "1")).exitCode).toBe(0);
  });

  it("shows a spec that was never run, and refuses another format", async () => {
    const workspace = workspaceWith();
    expect((await call(workspace, "export", "demo", "--format", "md")).out).toMatch(/^# `demo`: not run yet/);
    expect(Recording.parse(dataIn((await call(workspace, "export", "demo")).out, "recording")).frames.count).toBe(0);
    await expect(call(workspace, "export", "demo", "--format", "pdf")).rejects.toMatchObject({ code: "bad-option" });
    await expect(call(workspace, "export", "demo", "--run", "7")).rejects.toMatchObject({ code: "run-missing" });
  });
});
