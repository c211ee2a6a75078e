import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeScript } from "../../support/folder.ts";

export const planText = `# Tasks

- [x] 1.1 First
- [ ] 1.2 Second
  - **Do**: Make it
  - **Files**: \`a.txt\`
  - **Done when**: It is there
  - **Verify**: \`test -f a.txt\`
  - **Commit**: \`feat(a): add a\`
- [ ] 1.3 Third
  - **Do**: Make it
  - **Files**: \`b.txt\`
  - **Done when**: It is there
  - **Verify**: \`test -f b.txt\`
  - **Commit**: \`feat(b): add b\`
`;

export function workspaceWith(plan = planText): string {
  const workspace = temporaryFolder();
  mkdirSync(join(workspace, "specs", "demo"), { recursive: true });
  writeFileSync(join(workspace, "specs", ".current-spec"), "demo\n");
  writeFileSync(join(workspace, "specs", "demo", "tasks.md"), plan);
  return workspace;
}

export const willing = (workspace: string): string =>
  writeScript(workspace, "willing", "cat > prompt.txt; touch a.txt b.txt; echo TASK_COMPLETE");
export const clumsy = (workspace: string): string =>
  writeScript(
    workspace,
    "clumsy",
    "cat > prompt.txt; case $FIXPOINT_TASK_ID in *.*.*) touch a.txt b.txt;; esac; echo TASK_COMPLETE",
  );
