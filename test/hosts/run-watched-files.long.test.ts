import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { run } from "../support/cli-here.ts";
import { projectWith } from "../support/project.ts";

const stuck = [
  "--escalation",
  "--max-task-iterations",
  "3",
  "--max-pivot-attempts",
  "0",
  "--max-research-attempts",
  "0",
];

const many = "mkdir many && cd many && seq 20001 | xargs touch";

describe.concurrent("a workspace outside of git", () => {
  it("with more files than can be watched is reported once in a run", async () => {
    const project = projectWith({ script: "broke 'it is hard'" });
    execFileSync("sh", ["-c", many], { cwd: project.workspace });
    const { exitCode, out } = await run(project, ...stuck);
    expect(exitCode).toBe(3);
    expect(out.match(/^delegated /gm)).toHaveLength(3);
    expect(out.match(/^notice: The workspace has more files than can be watched outside of git: .*$/gm)).toEqual([
      expect.stringMatching(/: only the Files of a task show whether it changed anything$/),
    ]);
  });

  it("is not watched if the ladder does not check whether a task is stuck", async () => {
    const project = projectWith({ script: "broke 'it is hard'" });
    execFileSync("sh", ["-c", many], { cwd: project.workspace });
    const { out } = await run(project, "--max-task-iterations", "2");
    expect(out).not.toContain("notice:");
  });
});
