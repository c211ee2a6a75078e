import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRecords } from "../../support/open-line.ts";
import type { Children } from "./children.ts";
import type { Way } from "./way.ts";

const plan = `# Tasks

- [ ] 1.1 First
  - **Do**: Make one
  - **Verify**: \`./verify.sh\`
`;

export function makeWorkspace({ parent, executor }: Way, { script }: Children): string {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "fixpoint-ends-")));
  const begin = `${script}\nsleep 0.2; touch started`;
  mkdirSync(join(workspace, "spec"));
  writeFileSync(join(workspace, "spec/tasks.md"), plan);
  writeProgram(workspace, "executor.sh", `cat > prompt\n${parent === undefined ? begin : ""}\n${executor}`);
  writeProgram(workspace, "verify.sh", parent === "Verify" ? `${begin}\nsleep 300` : "test -e one");
  return workspace;
}

export function mend(workspace: string): void {
  writeProgram(workspace, "executor.sh", "cat > prompt; touch one; echo TASK_COMPLETE");
  writeProgram(workspace, "verify.sh", "test -e one");
}

export function outcomeIn(workspace: string): string | undefined {
  const folder = join(workspace, "spec/.fixpoint/run-1");
  const last =
    readdirSync(folder)
      .filter((name) => name.startsWith("journal-"))
      .sort()
      .at(-1) ?? "";
  const line = readFileSync(join(folder, last), "utf8").trimEnd().split("\n").at(-1) ?? "";
  const record = openRecords(line).at(-1);
  return record?.type === "ended" ? (record["ending"] as { outcome: string }).outcome : undefined;
}

function writeProgram(workspace: string, name: string, text: string): void {
  writeFileSync(join(workspace, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}
