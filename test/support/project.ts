import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeScript } from "./folder.ts";
import { moveRemembered, ownerFolder } from "./owner-folder.ts";

/** `build-once.ts` removes the folder after all tests. */
export const lastingFolder = (): string =>
  realpathSync(mkdtempSync(join(process.env["FIXPOINT_TEST_FOLDERS"] ?? tmpdir(), "fixpoint-test-")));

export interface Project {
  readonly workspace: string;
  readonly spec: string;
  readonly tasks: string;
  readonly progress: string;
  readonly state: string;
  readonly data: string;
}

export const twoTasks = `# Tasks

- [ ] 1.1 First
  - **Do**: Make one
  - **Verify**: \`test -e one\`
- [ ] 1.2 Second
  - **Do**: Make two
  - **Verify**: \`test -e two\`
`;

export const twoDone = twoTasks.replaceAll("[ ]", "[x]");

export const works = "touch one two; made";
export const onlyFirst = "[ $id = 1.1 ] && touch one && made || broke 'it is hard'";

export const proposed = (id: string, verify = "true"): string =>
  [
    `- [ ] ${id} Make ${id}`,
    "  - **Do**: Make it",
    `  - **Files**: ${id}`,
    "  - **Done when**: It is there",
    `  - **Verify**: \`${verify}\``,
    `  - **Commit**: \`feat: make ${id}\``,
  ].join("\n");

export const projectAt = (workspace: string, spec: string): Project => ({
  workspace,
  spec,
  tasks: join(spec, "tasks.md"),
  progress: join(spec, ".progress.md"),
  state: join(spec, ".ralph-state.json"),
  data: join(spec, ".fixpoint"),
});

/** @param script Executor for sh. `$prompt` is its prompt, `made` claims completion, `broke` reports a failure. */
export function projectWith({
  plan = twoTasks,
  script = works,
}: {
  plan?: string | Uint8Array;
  script?: string;
} = {}): Project {
  const workspace = lastingFolder();
  const project = projectAt(workspace, join(workspace, "spec"));
  mkdirSync(project.spec);
  writeFileSync(project.tasks, plan);
  writeExecutor(workspace, script);
  return project;
}

export function received(project: Project): Project {
  const workspace = lastingFolder();
  cpSync(project.workspace, workspace, { recursive: true, verbatimSymlinks: true });
  return projectAt(workspace, project.spec.replace(project.workspace, workspace));
}

export function copyOf(project: Project): Project {
  const copy = received(project);
  const owner = ownerFolder(project.spec);
  if (existsSync(owner)) cpSync(owner, ownerFolder(copy.spec), { recursive: true });
  moveRemembered(copy);
  return copy;
}

export function writeExecutor(workspace: string, script: string): void {
  const lines = [
    'prompt=$(cat); id=$FIXPOINT_TASK_ID; plan=$FIXPOINT_SPEC/tasks.md; echo "$FIXPOINT_KEY" >> delegations.log',
    "made() { echo TASK_COMPLETE; }",
    `broke() { printf 'Task %s: it FAILED\\n- Error: %s\\n- Attempted fix: none\\n- Status: Blocked\\n' "$id" "$1"; }`,
    script,
  ];
  writeScript(workspace, "executor.sh", lines.join("\n"));
}
