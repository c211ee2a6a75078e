import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { outputPaths } from "../../src/adapters/processes/open-output.ts";
import { shell } from "../../src/adapters/shell.ts";
import { never } from "../support/command-options.ts";
import { temporaryFolder } from "../support/folder.ts";
import { programs } from "../support/programs.ts";
import { stopClock } from "../support/stop-clock.ts";
import { until } from "../support/until.ts";

const limit = { timeoutMs: 600_000 };

describe("shell", () => {
  it("returns no exit code of a command that exits normally after its time limit", async () => {
    const leap = stopClock();
    const workspace = temporaryFolder();
    const command = "trap 'exit 0' TERM; : > ready; while :; do sleep 0.02; done";
    const running = shell({ workspace }).run(command, { timeoutMs: 100 }, never);
    await until(() => existsSync(join(workspace, "ready")));
    leap(100);
    expect(await running).toMatchObject({ exitCode: null, timedOut: true });
  });

  it("knows only the commands of the given PATH", async () => {
    const { exists } = shell({ workspace: temporaryFolder(), env: { PATH: programs(["sh", "cat"]) } });
    expect(await Promise.all(["cat", "cd", "ls"].map(exists))).toEqual([true, true, false]);
  });

  it("leaves no descriptor open", async () => {
    const workspace = temporaryFolder();
    const { run, readKept } = shell({ workspace, outputFolder: join(workspace, "out") });
    const once = async () => {
      await run("echo a", limit, never);
      await run("echo b", { ...limit, keepAs: "x" }, never);
      await readKept?.("x", () => {});
    };
    await once();
    const before = readdirSync("/proc/self/fd").length;
    await once();
    expect(readdirSync("/proc/self/fd")).toHaveLength(before);
  });

  it.each(["stdout", "stderr"] as const)(
    "reports incomplete output without %s, and returns the rest",
    async (stream) => {
      const outputFolder = temporaryFolder();
      const { run, readKept } = shell({ workspace: temporaryFolder(), outputFolder });
      await run("echo stderr; echo stdout >&2", { ...limit, keepAs: "x" }, never);
      rmSync(outputPaths(outputFolder, "x")[stream]);
      const pieces: string[] = [];
      expect(await readKept?.("x", (piece) => pieces.push(piece))).toBe(false);
      expect(pieces.join("")).toBe(`${stream}\n`);
    },
  );
});
