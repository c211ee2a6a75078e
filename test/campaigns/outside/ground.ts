import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { livingIn } from "../../support/processes.ts";

export type Fate =
  /** Does the task, and claims completion. */
  | "does"
  /** Does nothing, and reports a failure. */
  | "fails"
  /** Does nothing, and claims completion. */
  | "lies"
  /** Does the task, then kills the coordinator before it claims completion. */
  | "kills"
  /** Does nothing, and kills the coordinator. */
  | "kills early";

/** `fates`: behaviour of each executor call for the task, over all starts; `does` for further calls. */
export interface GroundTask {
  readonly id: string;
  readonly fates: readonly Fate[];
}

export interface Ground {
  readonly folder: string;
  readonly workspace: string;
  readonly spec: string;
  readonly tasks: readonly GroundTask[];
  readonly log: string;
  remove(): void;
}

/** An absolute path, because a trial may empty the `PATH`. */
const shell = "#!/bin/sh";

export function newGround(
  tasks: readonly GroundTask[],
  { at }: { readonly at?: (folder: string) => string } = {},
): Ground {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "fixpoint-outside-")));
  const workspace = at?.(folder) ?? join(folder, "workspace");
  const spec = join(workspace, "spec");
  const log = join(folder, "log");
  for (const path of [
    spec,
    join(workspace, "made"),
    join(folder, "home"),
    join(folder, "acts"),
    join(folder, "victim/run-1"),
  ]) {
    mkdirSync(path, { recursive: true });
  }
  const ground = { folder, workspace, spec, tasks, log, remove: () => removeGround(folder) };
  writeFileSync(log, "");
  writeFileSync(join(spec, "tasks.md"), planOf(tasks));
  for (const { id, fates } of tasks)
    writeFileSync(join(folder, `fates-${id}`), fates.map((fate) => `${fate}\n`).join(""));
  // Unrelated files with names like those of fixpoint's own files.
  for (const name of ["precious", "a.tmp", "run-1/x.tmp", "x.ndjson.5", "run-1/journal-1.ndjson"]) {
    writeFileSync(join(folder, "victim", name), `${name} is somebody else's\n`);
  }
  writeProgram(join(workspace, "executor.sh"), executorOf(ground));
  writeProgram(join(workspace, "check.sh"), checkOf(ground));
  writeProgram(join(workspace, "foreign.sh"), `${shell}\necho "foreign $0 $* - $PPID" >> ${log}\necho TASK_COMPLETE\n`);
  return ground;
}

const executorOf = ({ folder, workspace, log }: Pick<Ground, "folder" | "workspace" | "log">): string => `${shell}
cat > /dev/null
id=$FIXPOINT_TASK_ID
# Alive is the executor of an earlier call that is no zombie.
if [ -e ${folder}/pid ] && grep -qs 'State:.[^ZX]' "/proc/$(cat ${folder}/pid)/status"; then echo "overlap $id $FIXPOINT_KEY $PPID" >> ${log}; fi
echo $$ > ${folder}/pid
echo "start $id $FIXPOINT_KEY $PPID" >> ${log}
calls=$(grep -c "^start $id " ${log})
all=$(grep -c '^start ' ${log})
fate=$(sed -n "$calls"p ${folder}/fates-$id 2> /dev/null)
# What somebody has told this very call to do beside its work.
act=${folder}/acts/$all
if [ -e "$act" ]; then mv "$act" "$act.done"; export CALLER=$PPID; sh "$act.done" >> ${folder}/acts.out 2>&1; echo "acted $id $FIXPOINT_KEY $PPID" >> ${log}; fi
case $fate in
fails) said="Task $id: it FAILED
- Error: it is not there
- Attempted fix: none
- Status: Blocked" ;;
lies) said=TASK_COMPLETE ;;
"kills early") kill -9 $PPID ;;
*) echo done > ${workspace}/made/$id; said=TASK_COMPLETE ;;
esac
[ "$fate" != kills ] || kill -9 $PPID
echo "end $id $FIXPOINT_KEY $PPID" >> ${log}
echo "$said"
`;

const checkOf = ({ workspace, log }: Pick<Ground, "workspace" | "log">): string => `${shell}
echo "verify $1 - $PPID" >> ${log}
test -e ${workspace}/made/$1
`;

export const verifyOf = (id: string): string => `./check.sh ${id}`;

const planOf = (tasks: readonly GroundTask[]): string =>
  [
    "# Tasks\n",
    ...tasks.map(({ id }) => `- [ ] ${id} Make ${id}\n  - **Do**: Make it\n  - **Verify**: \`${verifyOf(id)}\`\n`),
  ].join("\n");

const writeProgram = (path: string, text: string): void => writeFileSync(path, text, { mode: 0o755 });

export const actAt = ({ folder }: Ground, call: number, script: string): void =>
  writeFileSync(join(folder, "acts", String(call)), script);

export const isMade = ({ workspace }: Ground, id: string): boolean => existsSync(join(workspace, "made", id));

export function boxesOf({ spec }: Ground): Map<string, boolean> | null {
  try {
    const lines = readFileSync(join(spec, "tasks.md"), "utf8").matchAll(/^- \[([ x])\] (\S+) /gm);
    return new Map([...lines].map(([, box, id]) => [id as string, box === "x"]));
  } catch {
    return null;
  }
}

export function surroundingsOf({ folder, workspace }: Ground): string {
  const inWorkspace = readdirSync(workspace).filter((name) => !["spec", "fixpoint.config.json"].includes(name));
  return [...listed(join(folder, "victim")), ...inWorkspace.toSorted()].join("\n");
}

const listed = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => {
      const path = join(folder, name);
      const isFolder = statSync(path).isDirectory();
      return `${name} ${isFolder ? "folder" : JSON.stringify(readFileSync(path, "utf8"))}`;
    });

export interface Said {
  readonly kind: "start" | "end" | "verify" | "acted" | "overlap" | "foreign";
  readonly task: string;
  readonly key: string;
  readonly parent: number;
}

export const saidIn = ({ log }: Ground): Said[] =>
  readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [kind = "", task = "", key = "", parent = ""] = line.split(" ");
      return { kind: kind as Said["kind"], task, key, parent: Number(parent) };
    });

export const verifiedIn = (ground: Ground): Set<string> =>
  new Set(saidIn(ground).flatMap(({ kind, task }) => (kind === "verify" ? [task] : [])));

function removeGround(folder: string): void {
  for (const pid of livingIn(folder)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has ended.
    }
  }
  if (readFileSync("/proc/mounts", "utf8").includes(` ${folder}/`)) {
    execFileSync("umount", ["--lazy", join(folder, "disk")]);
  }
  rmSync(folder, { recursive: true, force: true });
}
