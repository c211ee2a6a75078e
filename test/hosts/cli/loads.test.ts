import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cli } from "../../support/cli.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { willing, workspaceWith } from "./sample-spec.ts";

function finished(): string {
  const workspace = workspaceWith();
  const words = ["run", "--exec", willing(workspace), "--yes", "--reporter", "plain"];
  execFileSync(process.execPath, [cli, ...words], { cwd: workspace });
  return workspace;
}

function loadedBy(workspace: string, ...words: readonly string[]): readonly string[] {
  const folder = temporaryFolder();
  const [preload, noted] = [join(folder, "note.cjs"), join(folder, "noted.json")];
  const note = `process.on("exit", () => fs.writeFileSync(${JSON.stringify(noted)}, process.moduleLoadList.join("\\n")));`;
  writeFileSync(preload, `const fs = require("node:fs");\n${note}\n`);
  execFileSync(process.execPath, ["--require", preload, cli, ...words], { cwd: workspace });
  return readFileSync(noted, "utf8").split("\n");
}

it("loads no lexer, which would search files for exports", () => {
  expect(loadedBy(finished(), "status").filter((name) => name.includes("lexer"))).toEqual([]);
});
