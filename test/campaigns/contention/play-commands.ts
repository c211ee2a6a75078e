import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { checkProject } from "./check-project.ts";
import type { Round } from "./draw-round.ts";
import { holderIn } from "./lease-files.ts";
import type { Played } from "./play-round.ts";
import { type Project, readIn } from "./project.ts";

const executor = `cat > /dev/null
mark() { echo "$1 $FIXPOINT_KEY $PPID" >> marks.log; }
mark begin
sleep 0.05
if [ "$FIXPOINT_TASK_ID" = 1.2 ] && [ ! -e done-1.2.1 ]; then
  mark end
  printf 'Task 1.2: it FAILED\\n- Error: 1.2.1 is missing\\n- Attempted fix: none\\n- Status: Blocked\\n'
  exit
fi
touch "done-$FIXPOINT_TASK_ID"
mark end
echo TASK_COMPLETE
`;

interface Said {
  readonly exitCode: number | null;
  readonly told: string;
}

export async function playCommands(round: Round, project: Project, program: string): Promise<Played> {
  writeFileSync(join(project.workspace, "executor.sh"), executor);
  const cli = join(program, "src/hosts/cli/main.js");
  const command = async (...words: readonly string[]): Promise<Said> => {
    const child = spawn(process.execPath, [cli, ...words], {
      cwd: project.workspace,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, err, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { exitCode: exitCode as number | null, told: `${words[0]} ended ${exitCode}: ${out}${err}` };
  };
  const runs = (): Promise<readonly Said[]> =>
    Promise.all(
      Array.from({ length: Math.min(round.coordinators, 4) }, () =>
        command("run", project.spec, "--exec", "sh executor.sh", "--trust-executor", "--recovery-mode", "--yes"),
      ),
    );
  const killed = new Set<number>();
  const first = runs();
  const holder = await holderOf(project, first);
  await sleep(round.changes[0] ?? 0);
  const kills = round.kind === "killed" || round.kind === "at once";
  const told: Said[] = [];
  if (holder !== null && kills && isSignalled(holder, "SIGKILL")) killed.add(holder);
  if (holder !== null && !kills) {
    const stops = round.kind === "stopped" || round.kind === "taken over";
    if (stops) isSignalled(holder, "SIGSTOP");
    for (const words of [["pause"], ["status"], ["why", "1.1"], ["resume"]]) {
      told.push(await command(...words, project.spec));
    }
    if (stops) isSignalled(holder, "SIGCONT");
  }
  told.push(...(await first));
  for (let again = 0; again < 3 && !isTicked(project); again++) told.push(...(await runs()));
  const strange = told.filter(({ exitCode }) => exitCode === null || ![0, 1, 2, 4].includes(exitCode));
  const violations = [
    ...strange.filter(() => killed.size === 0).map((said) => said.told),
    ...checkProject(project, round.tasks, { killed, outcast: new Set() }),
  ];
  return { kills: killed.size, stops: holder !== null && !kills ? 1 : 0, takeOvers: 0, violations };
}

async function holderOf({ data }: Project, ends: Promise<unknown>): Promise<number | null> {
  let ended = false;
  void ends.then(() => {
    ended = true;
  });
  for (; !ended; await sleep(5)) {
    const holder = holderIn(data);
    if (holder !== null) return holder;
  }
  return null;
}

function isSignalled(pid: number, signal: "SIGKILL" | "SIGSTOP" | "SIGCONT"): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

const isTicked = ({ spec }: Project): boolean => !readIn(spec, "tasks.md").includes("- [ ]");
