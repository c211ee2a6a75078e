import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { livingWith } from "../../support/processes.ts";

const starts = ["run", "--new-run", "resume", "--all", "pull-request", "reset", "clean", "stop"] as const;
type StartKind = (typeof starts)[number];

const numbering: readonly StartKind[] = ["run", "--new-run", "--all"];

const pairs = starts.flatMap((first) => starts.map((second) => [first, second] as const));
export const numberingPairs = pairs.filter((pair) => pair.every((each) => numbering.includes(each)));
export const otherPairs = pairs.filter((pair) => !numberingPairs.includes(pair));

export interface Meeting {
  readonly first: StartKind;
  readonly second: StartKind;
  readonly afterKill: boolean;
  readonly delayMs: number;
}

interface Met {
  readonly workspace: string;
  readonly refused: number;
  readonly violations: readonly string[];
}

const executor = `cat > /dev/null
echo "begin $FIXPOINT_TASK_ID $PPID" >> "$MARKS"
sleep 0.03
echo "end $FIXPOINT_TASK_ID $PPID" >> "$MARKS"
echo TASK_COMPLETE
`;
const plan = "- [ ] 1.1 First\n- [ ] 1.2 Second\n";
const longestMs = 20_000;

interface Ended {
  readonly kind: StartKind;
  readonly exitCode: number | null;
  readonly told: string;
}

export async function playPair({ first, second, afterKill, delayMs }: Meeting, program: string): Promise<Met> {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "fixpoint-pair-")));
  const spec = join(workspace, "specs", "s");
  const marksPath = join(workspace, "marks.log");
  mkdirSync(spec, { recursive: true });
  writeFileSync(join(spec, "tasks.md"), plan);
  writeFileSync(join(workspace, "executor.sh"), executor);
  writeFileSync(marksPath, "");
  if (first === "pull-request" || second === "pull-request") makeRepository(workspace);
  const cli = join(program, "src/hosts/cli/main.js");
  const begin = (kind: StartKind) => {
    const child = spawn(process.execPath, [cli, ...wordsOf(kind)], {
      cwd: workspace,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, MARKS: marksPath, GITHUB_API_URL: "http://127.0.0.1:1", GH_REPO: "o/r", GH_TOKEN: "none" },
    });
    const end = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]).then(
      ([out, err, [exitCode]]): Ended => ({ kind, exitCode: exitCode as number | null, told: `${out}${err}` }),
    );
    return { child, end };
  };
  const killed = new Set<number>();
  if (afterKill) {
    const { child, end } = begin("run");
    while (readFileSync(marksPath, "utf8") === "" && child.exitCode === null) await sleep(2);
    child.kill("SIGKILL");
    killed.add(child.pid as number);
    await end;
  }
  const one = begin(first);
  await sleep(delayMs);
  const other = begin(second);
  const timers = [one, other].map(({ child }) => endWhenDone(child, spec));
  const ends = await Promise.all([one.end, other.end]);
  for (const timer of timers) clearInterval(timer);
  const last = isDone(spec) ? null : await begin("run").end;
  return {
    workspace,
    refused: ends.filter(({ exitCode }) => exitCode === 4).length,
    violations: [
      ...ends.flatMap(judgeEnd),
      ...(last === null || last.exitCode === 0 ? [] : [`the last run ended ${last.exitCode}: ${last.told}`]),
      ...judgeFiles(spec),
      ...judgeMarks(readFileSync(marksPath, "utf8"), killed, [first, second]),
    ],
  };
}

/** Interrupts only once, because another interrupt would kill the start. */
function endWhenDone(child: { readonly kill: (signal: NodeJS.Signals) => boolean }, spec: string): NodeJS.Timeout {
  const begun = performance.now();
  let doneAt = Number.POSITIVE_INFINITY;
  const timer = setInterval(() => {
    const now = performance.now();
    if (isDone(spec)) doneAt = Math.min(doneAt, now);
    if (now <= doneAt + 1500 && now <= begun + longestMs) return;
    clearInterval(timer);
    child.kill("SIGINT");
  }, 100);
  return timer;
}

function wordsOf(kind: StartKind): readonly string[] {
  const how = ["--exec", "sh executor.sh", "--trust-executor", "--yes"];
  const words: Record<StartKind, readonly string[]> = {
    run: ["run", "s", ...how],
    "--new-run": ["run", "s", ...how, "--new-run"],
    resume: ["resume", "s", "--exec", "sh executor.sh", "--trust-executor"],
    "--all": ["run", "--all", ...how],
    "pull-request": ["run", "s", ...how, "--pull-request", "--commit", "all"],
    reset: ["reset", "s", "--yes"],
    clean: ["clean", "s", "--keep", "1"],
    stop: ["stop", "s"],
  };
  return words[kind];
}

function makeRepository(workspace: string): void {
  const git = (...words: readonly string[]): void =>
    void execFileSync("git", words, { cwd: workspace, stdio: "ignore" });
  const remote = join(workspace, ".remote");
  git("init", "-q", "-b", "work");
  git("init", "-q", "--bare", remote);
  writeFileSync(join(workspace, ".git", "info", "exclude"), ".remote\nmarks.log\n");
  git("add", "-A");
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  git(...who, "commit", "-q", "-m", "begin");
  git("config", "user.name", "a");
  git("config", "user.email", "a@example.com");
  git("remote", "add", "origin", remote);
  git("push", "-q", "origin", "HEAD:main", "HEAD:work");
  execFileSync("git", ["symbolic-ref", "HEAD", "refs/heads/main"], { cwd: remote });
}

const isDone = (spec: string): boolean => !readFileSync(join(spec, "tasks.md"), "utf8").includes("- [ ]");

/** Done, limit, refused input, question, locked spec, SIGINT, SIGTERM. */
const fair: readonly (number | null)[] = [0, 1, 2, 3, 4, 130, 143];

function judgeEnd({ kind, exitCode, told }: Ended): string[] {
  if (!fair.includes(exitCode)) return [`${kind} ended ${exitCode}: ${told}`];
  if (exitCode === 4 && !/Cannot take the spec|Cannot work in|works there/.test(told)) {
    return [`${kind} is refused without a reason: ${told}`];
  }
  return [];
}

function judgeFiles(spec: string): string[] {
  const data = join(spec, ".fixpoint");
  const text = readFileSync(join(spec, "tasks.md"), "utf8");
  const left = existsSync(data)
    ? readdirSync(data, { recursive: true })
        .map(String)
        .filter((name) => /\.tmp$|draft/.test(name))
    : [];
  return [
    ...(text === plan.replaceAll("[ ]", "[x]") ? [] : [`the plan is ${JSON.stringify(text)}`]),
    ...(left.length === 0 ? [] : [`half-written files are left: ${left}`]),
    ...livingWith(`FIXPOINT_SPEC=${spec}`).map((pid) => `process ${pid} is alive`),
  ];
}

function judgeMarks(text: string, killed: ReadonlySet<number>, kinds: readonly StartKind[]): string[] {
  const found: string[] = [];
  const atWork = new Map<number, string>();
  const done = new Map<string, number>();
  const isCut = kinds.includes("stop") || kinds.includes("pull-request");
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [what, task = "", of] = line.split(" ");
    const pid = Number(of);
    if (what === "end") {
      atWork.delete(pid);
      if (!killed.has(pid)) done.set(task, (done.get(task) ?? 0) + 1);
      continue;
    }
    const others = [...atWork].filter(([other]) => other !== pid && !killed.has(other));
    if (others.length > 0 && !isCut) found.push(`${task} of process ${pid} begins while others work: ${others}`);
    atWork.set(pid, task);
  }
  const most = 1 + (isCut ? 1 : 0) + (kinds.includes("reset") ? 1 : 0);
  for (const [task, times] of done) if (times > most) found.push(`${task} was done ${times} times`);
  for (const task of ["1.1", "1.2"]) if (!done.has(task) && killed.size === 0) found.push(`${task} was never done`);
  return found;
}
