import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callCli } from "../call-cli.ts";
import { workspaceWith } from "../sample-spec.ts";

describe("fixpoint say", () => {
  it.each([
    [["guidance", "other"], 'fixpoint say guidance "…" demo'],
    [["retry"], "fixpoint say retry demo"],
  ])("shows where the spec goes when %j names none of several", async (words, line) => {
    const workspace = workspaceWith();
    const other = join(workspace, "specs", "other");
    mkdirSync(other);
    rmSync(join(workspace, "specs", ".current-spec"), { force: true });
    writeFileSync(join(other, "tasks.md"), "- [ ] 1.1 One\n");
    await expect(callCli(workspace, ["say", ...words])).rejects.toMatchObject({
      code: "spec-not-named",
      hint: `Name the spec, such as: ${line}`,
    });
  });
});
