import { type ChildProcess, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import type { TimedRunRecord } from "../../src/model/record.ts";
import { writeScript } from "./folder.ts";
import { ownerFolder } from "./owner-folder.ts";

const root = resolve(import.meta.dirname, "../..");
/** The program as `build-once.ts` has built it. */
export const cli = join(process.env["FIXPOINT_BUILD_UNDER_TEST"] ?? join(root, "dist"), "src/hosts/cli/main.js");
const dieAtWrite = join(root, "test/support/die-at-write.mjs");

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

export interface End {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface Launched {
  readonly child: ChildProcess;
  readonly end: Promise<End>;
}

/** Start the program in a workspace. */
export function launch(workspace: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): Launched {
  const child = spawn(process.execPath, [cli, ...words], {
    cwd: workspace,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = new Promise<Pick<End, "exitCode" | "signal">>((settle) =>
    child.once("close", (exitCode, signal) => settle({ exitCode, signal })),
  );
  const end = Promise.all([closed, text(child.stdout), text(child.stderr)]).then(([how, out, err]) => ({
    ...how,
    out,
    err,
  }));
  return { child, end };
}

/** The words of `fixpoint run` on a project's spec with its executor. */
export const runWords = ({ spec }: Project, ...words: readonly string[]): string[] => [
  "run",
  spec,
  "--exec",
  "./executor.sh",
  "--reporter",
  "plain",
  ...words,
];

/** Run a project's spec to its end, with consent. */
export const run = (project: Project, ...words: readonly string[]): Promise<End> =>
  launch(project.workspace, runWords(project, "--yes", ...words)).end;

/** The same without consent to what was not agreed to before. */
export const runAgain = (project: Project, ...words: readonly string[]): Promise<End> =>
  launch(project.workspace, runWords(project, ...words)).end;

/** Run it with consent to the very thing that a start before has asked about. */
export const runAccepting = (project: Project, asked: Pick<End, "err">, ...words: readonly string[]): Promise<End> =>
  runAgain(project, "--accept", /--accept (\w+)/.exec(asked.err)?.[1] ?? "nothing was asked", ...words);

/** Run it until right before a durable action of it, counted from 1, where it is killed. */
export const runUntil = (project: Project, write: number, ...words: readonly string[]): Promise<End> =>
  launch(project.workspace, runWords(project, "--yes", ...words), {
    NODE_OPTIONS: `--import ${dieAtWrite}`,
    DIE_AT_WRITE: String(write),
  }).end;

/** Keys of the attempts that the executor was started for, in order. */
export function delegations({ workspace }: Project): string[] {
  const path = join(workspace, "delegations.log");
  return existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
}

export const read = (path: string): string => readFileSync(path, "utf8");

export const journalPath = ({ data }: Project, segment = 1, run = 1): string =>
  join(data, `run-${run}`, `journal-${segment}.ndjson`);

/** The records of one segment. */
export const recordsIn = (path: string): TimedRunRecord[] =>
  read(path)
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line) as TimedRunRecord);

/** Every file below a folder with its bytes, every link with its target. */
export function contentOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    found[path] = entry.isFile()
      ? readFileSync(path, "base64")
      : entry.isSymbolicLink()
        ? `-> ${readlinkSync(path)}`
        : "folder";
  }
  return found;
}
