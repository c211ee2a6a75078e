import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import { cli } from "../support/cli.ts";
import { projectWith } from "../support/project.ts";
import { contentOf } from "../support/traces.ts";

const attempt = (executors: unknown) => {
  const { workspace, spec } = projectWith();
  const before = contentOf(workspace);
  const refused = runSpec({ spec, workspace, executors: executors as never, yes: true });
  return { refused, before, after: () => contentOf(workspace) };
};

describe.concurrent("runSpec with invalid executors", () => {
  it.each([
    [undefined, "no-executor"],
    [null, "no-executor"],
    [{}, "no-executor"],
    [{ executor: null }, "no-executor"],
    [{ executor: [] }, "no-executor"],
    [{ executor: "agent", verifier: [] }, "no-executor"],
    [{ executor: "agent", rungs: { fix: [] } }, "no-executor"],
    [{ executor: {} }, "executor-invalid"],
    [{ executor: 7 }, "executor-invalid"],
    [{ executor: [null] }, "executor-invalid"],
    [{ executor: { preset: "claude", command: 7 } }, "executor-invalid"],
    [{ executor: "agent", verifier: null }, "executor-invalid"],
    [{ executor: "agent", reviwer: "agent" }, "executor-invalid"],
    [{ executor: "agent", rungs: { fixx: "agent" } }, "executor-invalid"],
    [{ executor: "agent", rungs: "agent" }, "executor-invalid"],
    ["agent", "executor-invalid"],
    [["agent"], "executor-invalid"],
    [{ executor: { preset: "cluade" } }, "preset-unknown"],
    [{ executor: " " }, "command-unreadable"],
  ])("refuses %j, and writes nothing", async (executors, code) => {
    const { refused, before, after } = attempt(executors);
    await expect(refused).rejects.toMatchObject({ blame: "input", code });
    expect(after()).toEqual(before);
  });

  it("suggests the nearest role", async () => {
    const { refused } = attempt({ executor: "agent", reviwer: "agent" });
    await expect(refused).rejects.toMatchObject({ hint: "Did you mean reviewer?" });
  });

  it("does not keep the program alive", async () => {
    const { workspace, spec } = projectWith();
    const library = pathToFileURL(join(cli, "../../node/index.js")).href;
    const program = `import { runSpec } from ${JSON.stringify(library)};
for (const executors of [{}, { executor: {} }, { executor: "./none" }, { executor: () => { throw new Error("no"); } }]) {
  await runSpec({ spec: ${JSON.stringify(spec)}, workspace: ${JSON.stringify(workspace)}, yes: true, executors })
    .then(({ outcome }) => console.log(outcome), ({ code }) => console.log(code));
}`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], { cwd: workspace });
    const [out, [exitCode]] = await Promise.all([text(child.stdout), once(child, "close")]);
    expect({ out, exitCode }).toEqual({
      out: "no-executor\nexecutor-invalid\nexecutor-not-found\nenvironment\n",
      exitCode: 0,
    });
  });
});

describe("an executor that ends at once without output", () => {
  it("raises a question in a repository as well, if only files of the spec have changed", async () => {
    const { workspace, spec } = projectWith();
    execFileSync("git", ["init", "--quiet", workspace]);
    const ended = await runSpec({ spec, workspace, executors: { executor: "false" }, yes: true });
    expect(ended).toMatchObject({
      outcome: "gate",
      error: expect.stringContaining("no error output (exit 1, ended at once)"),
    });
  });
});
