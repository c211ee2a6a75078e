import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../support/folder.ts";
import { callCli } from "../call-cli.ts";

const gsd =
  "<objective>\nOne page\n</objective>\n<task>\n<name>Task 1: Add it</name>\n<verify>test -f page.html</verify>\n</task>\n";
const workspaceOf = (...names: readonly string[]): string => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "phases"));
  for (const name of names) writeFileSync(join(folder, "phases", name), gsd);
  return folder;
};

describe("fixpoint init", () => {
  it("writes a plan beside the one it refers to, which stays as it is", async () => {
    const folder = workspaceOf("01-PLAN.md");
    const { out } = await callCli(folder, ["init", "--from", "phases/01-PLAN.md"]);
    expect(out).toBe("Wrote phases/tasks.md: 1 task, 1 with a Verify\nRead it, then: fixpoint run phases\n");
    expect(readFileSync(join(folder, "phases/tasks.md"), "utf8")).toBe(
      "# Tasks: phases\n\n## 01-PLAN.md: One page\n\n- [ ] 1 Add it\n  - **Do**: Do the task of lines 4 to 7 of 01-PLAN.md: read all of it there, and leave that file as it is\n  - **Verify**: `test -f page.html`\n",
    );
    expect(readFileSync(join(folder, "phases/01-PLAN.md"), "utf8")).toBe(gsd);
  });

  it("takes several plans, and another folder", async () => {
    const folder = workspaceOf("01-PLAN.md", "02-PLAN.md");
    mkdirSync(join(folder, "spec"));
    const from = ["--from", "phases/01-PLAN.md", "--from", "phases/02-PLAN.md"];
    const { out } = await callCli(folder, ["init", "spec", ...from, "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      file: join(folder, "spec/tasks.md"),
      tasks: [{ id: "1.1" }, { id: "2.1" }],
    });
    expect(readFileSync(join(folder, "spec/tasks.md"), "utf8")).toContain("of ../phases/02-PLAN.md: read");
  });

  it.each([
    ["source-missing", []],
    ["source-unreadable", ["--from", "phases/none.md"]],
    ["source-empty", ["--from", "phases/empty.md"]],
    ["tasks-exist", ["there", "--from", "phases/01-PLAN.md"]],
  ])("refuses with %s, and writes nothing", async (code, words) => {
    const folder = workspaceOf("01-PLAN.md");
    writeFileSync(join(folder, "phases/empty.md"), "# None\n");
    mkdirSync(join(folder, "there"));
    writeFileSync(join(folder, "there/tasks.md"), "mine");
    await expect(callCli(folder, ["init", ...words])).rejects.toMatchObject({ code, blame: "input" });
    expect(readFileSync(join(folder, "there/tasks.md"), "utf8")).toBe("mine");
    expect(() => readFileSync(join(folder, "phases/tasks.md"))).toThrow("ENOENT");
  });
});
