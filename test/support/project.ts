import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeScript } from "./folder.ts";
import { ownerFolder } from "./owner-folder.ts";

/** A folder that is gone after all tests, which may run at the same time: `build-once.ts` takes them away. */
export const lastingFolder = (): string =>
  realpathSync(mkdtempSync(join(process.env["FIXPOINT_TEST_FOLDERS"] ?? tmpdir(), "fixpoint-test-")));

/** A workspace with a spec in it, for the program to run. */
export interface Project {
  readonly workspace: string;
  readonly spec: string;
  readonly tasks: string;
  readonly progress: string;
  readonly state: string;
  /** Folder of run data. */
  readonly data: string;
}

/** Two tasks; the executor of `projectWith` does both. */
export const twoTasks = `# Tasks

- [ ] 1.1 First
  - **Do**: Make one
  - **Verify**: \`test -e one\`
- [ ] 1.2 Second
  - **Do**: Make two
  - **Verify**: \`test -e two\`
`;

/** @param script What the executor does, in sh; what it is told is in \`$prompt\`, and \`made\` says that it is done. */
export function projectWith({
  plan = twoTasks,
  script = "touch one two; made",
}: {
  plan?: string | Uint8Array;
  script?: string;
} = {}): Project {
  const workspace = lastingFolder();
  const spec = join(workspace, "spec");
  mkdirSync(spec);
  const tasks = join(spec, "tasks.md");
  writeFileSync(tasks, plan);
  writeExecutor(workspace, script);
  const [progress, state, data] = [".progress.md", ".ralph-state.json", ".fixpoint"].map((name) => join(spec, name));
  return { workspace, spec, tasks, progress: progress ?? "", state: state ?? "", data: data ?? "" };
}

/** A project as it stands, in another folder, with what its owner has agreed to. */
export function copyOf(project: Project): Project {
  const workspace = lastingFolder();
  cpSync(project.workspace, workspace, { recursive: true });
  const moved = (path: string): string => path.replace(project.workspace, workspace);
  const owner = ownerFolder(project.spec);
  if (existsSync(owner)) cpSync(owner, ownerFolder(moved(project.spec)), { recursive: true });
  return {
    workspace,
    spec: moved(project.spec),
    tasks: moved(project.tasks),
    progress: moved(project.progress),
    state: moved(project.state),
    data: moved(project.data),
  };
}

/** Give the project another executor. */
export function writeExecutor(workspace: string, script: string): void {
  const lines = [
    'prompt=$(cat); id=$FIXPOINT_TASK_ID; plan=$FIXPOINT_SPEC/tasks.md; echo "$FIXPOINT_KEY" >> delegations.log',
    "made() { echo TASK_COMPLETE; }",
    `broke() { printf 'Task %s: it FAILED\\n- Error: %s\\n- Attempted fix: none\\n- Status: Blocked\\n' "$id" "$1"; }`,
    script,
  ];
  writeScript(workspace, "executor.sh", lines.join("\n"));
}
