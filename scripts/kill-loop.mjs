#!/usr/bin/env node
/**
 * Kills the coordinator at random moments, starts it again, and checks that the end is the one of a run that nobody
 * disturbed: same plan, same progress log, nothing done twice, nothing left behind.
 *
 * Needs a build (`npm run build`) and `/proc`.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { crc32 } from "node:zlib";

const usage = `Usage: node scripts/kill-loop.mjs [--scenario <name>] [--kills 20] [--seed <number>] [--every-write]

  --scenario <name>
                   demo: the example; plain: tasks of milliseconds; batch: [P] tasks that take a while; changes: tasks
                   that ask for others; commit: a commit of the spec after each task; ladder: fixes, a repair
                   operator, other approaches and context first (default: demo)
  --kills <n>      how often it is killed at least, at random moments
  --every-write    instead, kill it once before each change of a file that it makes, and once more while it recovers
`;
const root = fileURLToPath(new URL("..", import.meta.url));
const cli = join(root, "dist/src/hosts/cli/main.js");
const dieAtWrite = new URL("die-at-write.mjs", import.meta.url).href;

/** The plan of `plain`: every task takes milliseconds, so that kills meet the coordinator's own work. */
const plainPlan = `# Tasks

## Phase 1: Singles

- [ ] 1.1 Works at once
  - **Verify**: \`test -e work/1.1\`
- [ ] 1.2 Fails until it was fixed
  - **Verify**: \`test -e work/1.2\`
- [ ] 1.3 Claims what its Verify denies until it was fixed
  - **Verify**: \`test -e work/fixed-1.3\`
- [ ] 1.4 Ticks its own box and notes something
  - **Verify**: \`test -e work/1.4\`

## Phase 2: Chains

- [ ] 2.1 Fails with a long reply, and so does its fix
  - **Verify**: \`test -e work/2.1\`
- [ ] 2.2 Needs two fixes
  - **Verify**: \`test -e work/2.2\`
- [ ] 2.3 Contradicts itself at first
  - **Verify**: \`test -e work/2.3\`
- [ ] 2.4 [VERIFY] All of it
  - **Verify**: \`ls work/1.1 work/2.3\`
`;

/** What it does follows from files alone, so that a repetition finds its work done. */
const plainExecutor = `#!/bin/sh
cat > /dev/null
mkdir -p work
id=$FIXPOINT_TASK_ID
needs() {
  [ -e "work/fixed-$1" ] && return
  printf 'Task %s: it FAILED\\n- Error: %s is missing\\n- Attempted fix: looked for it\\n- Status: Blocked\\n' "$id" "$1"
  exit 0
}
case $id in
  1.2) needs 1.2 ;;
  1.4)
    grep -q 'A note' "$FIXPOINT_SPEC/tasks.md" || sed -i 's/^- \\[.\\] 1\\.4 .*/&\\n  - A note/' "$FIXPOINT_SPEC/tasks.md"
    sed -i 's/^- \\[ \\] 1\\.4 /- [x] 1.4 /' "$FIXPOINT_SPEC/tasks.md" ;;
  2.1|2.1.1) [ -e "work/fixed-$id" ] || printf '%06000d\\n' 0; needs "$id" ;;
  2.2) needs 2.2-1; needs 2.2-2 ;;
  2.3) [ -e work/seen ] || { touch work/seen; echo 'This needs human help'; } ;;
esac
case $id in
  2.2.*) touch "work/fixed-2.2-\${id##*.}" ;;
  *.*.*) touch "work/fixed-\${id%.*}" ;;
esac
touch "work/$id"
echo "Done."
[ "$FIXPOINT_ROLE" = verifier ] && echo VERIFICATION_PASS || echo TASK_COMPLETE
`;

/** The plan of `batch`: members take long enough to be met at work together. */
const batchPlan = `# Tasks

## Phase 1: Side by side

- [ ] 1.1 [P] Works
  - **Verify**: \`test -e work/1.1\`
- [ ] 1.2 [P] Fails until it was fixed
  - **Verify**: \`test -e work/1.2\`
- [ ] 1.3 [P] Ticks its own box
  - **Verify**: \`test -e work/1.3\`
- [ ] 1.4 [VERIFY] All of it
  - **Verify**: \`ls work/1.1 work/1.2 work/1.3\`

## Phase 2: Again

- [ ] 2.1 [P] Works
  - **Verify**: \`test -e work/2.1\`
- [ ] 2.2 [P] Needs two fixes
  - **Verify**: \`test -e work/2.2\`
- [ ] 2.3 One more
  - **Verify**: \`test -e work/2.3\`
`;

/** The plan of `changes`. What is proposed has a Verify that the owner has agreed to with it. */
const changesPlan = `# Tasks

## Phase 1: Changes

- [ ] 1.1 Works
  - **Verify**: \`ls work\`
- [ ] 1.2 Is split
  - **Verify**: \`ls work\`
- [ ] 1.3 Needs another one first
  - **Verify**: \`test -e work/1.3a\`
- [ ] 1.4 Fails until it was fixed, and is followed by another one
  - **Verify**: \`test -e work/1.4\`
- [ ] 1.5 [P] Is split beside others
  - **Verify**: \`ls work\`
- [ ] 1.6 [P] Works beside it
  - **Verify**: \`test -e work/1.6\`
`;

/** The plan of `commit`. */
const commitPlan = plainPlan.slice(0, plainPlan.indexOf("## Phase 2"));

/** Notes when another process of the same task is alive. */
const watching = `mkdir -p work
other=$(cat "work/pid-$FIXPOINT_TASK_ID" 2> /dev/null)
[ -n "$other" ] && tr '\\0' '\\n' < "/proc/$other/environ" 2> /dev/null | grep -qxF "FIXPOINT_SPEC=$FIXPOINT_SPEC" &&
  echo "$FIXPOINT_KEY" >> work/overlaps
echo $$ > "work/pid-$FIXPOINT_TASK_ID"
`;

const batchExecutor = `#!/bin/sh
cat > /dev/null
${watching}
id=$FIXPOINT_TASK_ID
fails() {
  printf 'Task %s: it FAILED\\n- Error: %s is missing\\n- Attempted fix: looked for it\\n- Status: Blocked\\n' "$id" "$1"
  exit 0
}
grep -qs "Of $id" "$FIXPOINT_PROGRESS_FILE" || echo "- Of $id" >> "$FIXPOINT_PROGRESS_FILE"
sleep 0.15
case $id in
  1.2) [ -e work/1.2.1 ] || fails 1.2.1 ;;
  1.3) sed -i 's/^- \\[ \\] 1\\.3 /- [x] 1.3 /' "$FIXPOINT_SPEC/tasks.md" ;;
  2.2) [ -e work/2.2.1 ] || fails 2.2.1; [ -e work/2.2.2 ] || fails 2.2.2 ;;
esac
touch "work/$id"
# What a fix copies: the Verify of what it repairs.
case $id in *.*.*) touch "work/\${id%.*}" ;; esac
[ "$FIXPOINT_ROLE" = verifier ] && echo VERIFICATION_PASS || echo TASK_COMPLETE
`;

const changesExecutor = `#!/bin/sh
cat > /dev/null
${watching}
id=$FIXPOINT_TASK_ID
task() {
  printf '"- [ ] %s %s\\\\n  - **Do**: It\\\\n  - **Files**: work/%s\\\\n  - **Done when**: It is there\\\\n  - **Verify**: \`ls work\`\\\\n  - **Commit**: \`feat: it\`"' "$1" "$2" "$1"
}
ask() {
  printf 'TASK_MODIFICATION_REQUEST\\n{"type":"%s","originalTaskId":"%s","reasoning":"It is more","proposedTasks":[%s]}\\n\\n%s\\n' "$1" "$id" "$2" "$3"
  exit 0
}
stands() { grep -q "^- \\[.\\] $1 " "$FIXPOINT_SPEC/tasks.md"; }
case $id in
  1.2) ask SPLIT_TASK "$(task 1.2a 'One half'),$(task 1.2b 'Other half')" ;;
  1.3) stands 1.3a || ask ADD_PREREQUISITE "$(task 1.3a 'What is needed')" ;;
  1.4)
    if [ ! -e work/1.4.1 ]; then
      printf 'Task 1.4: it FAILED\\n- Error: gone\\n- Attempted fix: none\\n- Status: Blocked\\n'
      exit 0
    fi
    touch work/1.4
    stands 1.4a || ask ADD_FOLLOWUP "$(task 1.4a 'What follows')" TASK_COMPLETE ;;
  1.4.1) touch work/1.4 ;;
  1.5) ask SPLIT_TASK "$(task 1.5a '[P] One half'),$(task 1.5b '[P] Other half')" ;;
esac
touch "work/$id"
echo TASK_COMPLETE
`;

/** The plan of `ladder`: every remedy there is, but to ask a person. */
const ladderPlan = `# Tasks

## Phase 1: Remedies

- [ ] 1.1 Needs another approach, whatever else is tried
  - **Verify**: \`test -e work/1.1\`
- [ ] 1.2 Needs what the repair operator knows
  - **Verify**: \`test -e work/1.2\`
- [ ] 1.3 Is done in parts
  - **Verify**: \`ls work/1.3~1 work/1.3~2\`
- [ ] 1.4 Needs context first
  - **Verify**: \`test -e work/1.4\`
- [ ] 1.5 Works
  - **Verify**: \`ls work/1.1 work/1.4\`
`;

const ladderExecutor = `#!/bin/sh
prompt=$(cat)
${watching}
id=$FIXPOINT_TASK_ID
told() { printf '%s\\n' "$prompt" | grep -q "$1"; }
if [ "$FIXPOINT_ROLE" = operator ]; then
  case $id in
    1.3) echo 'DECOMPOSE: write the first table | write the second table' ;;
    *) if told 'REPAIR_BUDGET: 2'; then echo 'RETRY: use the spare key'; else echo 'RETRY: use the other key'; fi ;;
  esac
  exit 0
fi
fails() {
  printf 'Trying: way %s\\nTask %s: it FAILED\\n- Error: %s is missing\\n- Status: Blocked\\n' "$FIXPOINT_ATTEMPT" "$id" "$1"
  exit 0
}
case $id in
  1.1) told 'PIVOT ACTIVATED' || fails door ;;
  1.2) told 'use the spare key' || fails key ;;
  1.3) fails table ;;
  1.4) told 'RESEARCH MODE ACTIVATED' || fails map ;;
esac
echo "Found: what $id needs"
touch "work/$id"
echo TASK_COMPLETE
`;

/** A spec with an executor of its own beside it. */
const scripted = (plan, executor) => ({
  spec: "specs/plain",
  exec: "./executor.sh",
  setUp(folder) {
    mkdirSync(join(folder, "specs/plain"), { recursive: true });
    writeFileSync(join(folder, "specs/plain/tasks.md"), plan);
    writeFileSync(join(folder, "executor.sh"), executor, { mode: 0o755 });
  },
});

/**
 * - `width`: tasks that are worked on at once
 * - `flags`: for every start
 * - `history`: what is to be the same of the repository
 */
const scenarios = {
  demo: {
    spec: "specs/invoice-totals",
    exec: `'${process.execPath}' '${join(root, "examples/demo/executor.mjs")}'`,
    setUp(folder) {
      cpSync(join(root, "examples/demo/project"), folder, { recursive: true });
      git(folder, "-c", "init.defaultBranch=main", "init", "--quiet");
      git(folder, "add", "--all");
      git(folder, "commit", "--quiet", "--message=Start");
    },
  },
  plain: scripted(plainPlan, plainExecutor),
  batch: { ...scripted(batchPlan, batchExecutor), width: 3 },
  changes: { ...scripted(changesPlan, changesExecutor), width: 2 },
  ladder: {
    ...scripted(ladderPlan, ladderExecutor),
    flags: [
      "--repair",
      "--escalation",
      "--max-fix-tasks",
      "1",
      "--max-pivot-attempts",
      "1",
      "--max-total-attempts",
      "20",
    ],
  },
  commit: {
    ...scripted(commitPlan, plainExecutor),
    flags: ["--commit"],
    setUp(folder) {
      scripted(commitPlan, plainExecutor).setUp(folder);
      git(folder, "-c", "init.defaultBranch=main", "init", "--quiet");
      for (const [name, value] of identity) git(folder, "config", name, value);
      git(folder, "add", "--all");
      git(folder, "commit", "--quiet", "--message=Start");
      writeFileSync(join(folder, "staged"), "not to be committed");
      git(folder, "add", "staged");
    },
    history: (folder) =>
      git(folder, "log", "--name-only", "--format=%s") + git(folder, "status", "--short", "--", "specs"),
  },
};

const identity = [
  ["user.name", "Kill loop"],
  ["user.email", "kill-loop@demo.invalid"],
];
const running = new Set();
process.on("SIGINT", () => {
  for (const child of running) child.kill("SIGINT");
  process.exitCode = 130;
});
await main();

async function main() {
  const text = { type: "string" };
  const options = { kills: text, seed: text, scenario: text, "every-write": { type: "boolean" } };
  const {
    kills = "20",
    seed = String(Date.now() % 1_000_000),
    scenario = "demo",
    ...rest
  } = parseArgs({ options }).values;
  const everyWrite = rest["every-write"] === true;
  const wanted = Number(kills);
  const kind = scenarios[scenario];
  if (kind === undefined || !Number.isInteger(wanted) || !Number.isFinite(Number(seed))) {
    process.stderr.write(usage);
    process.exitCode = 2;
    return;
  }
  if (!existsSync(cli)) throw new Error(`Cannot find \`${cli}\`, expected it to be built: npm run build`);
  process.stdout.write(`scenario ${scenario}, seed ${seed}\n`);

  const random = randomFrom(Number(seed));
  const reference = newProject(kind);
  // The first start fills the compile cache, and would make the time too long.
  spawnSync(process.execPath, [cli, "run", "--help"]);
  const begun = performance.now();
  const { exitCode, said } = await start(reference);
  let usualMs = performance.now() - begun;
  if (exitCode !== 0) throw new Error(`Cannot run \`${scenario}\` undisturbed, it ended with ${exitCode}:\n${said}`);
  const expected = inspect(reference);
  process.stdout.write(`undisturbed: ${Math.round(usualMs)} ms, ${expected.delegations} delegations\n`);

  const violations = [...expected.violations];
  let done = 0;
  let projects = 0;
  let repeated = 0;
  let goOn = true;
  while (goOn && process.exitCode === undefined) {
    const project = newProject(kind);
    const moments = [];
    let end = "killed";
    while (end === "killed" && process.exitCode === undefined) {
      const moment = everyWrite
        ? { write: [projects + 1, 1 + Math.floor(random() * 30)][moments.length] }
        : { ms: done + moments.length < wanted ? random() * usualMs : undefined };
      const startedAt = performance.now();
      const started = await start(project, moment);
      if (started.killed) {
        moments.push(moment.write ?? `${Math.round(moment.ms)} ms`);
        // Behind its last record there is nothing left to go on with.
        end = isComplete(project) ? 0 : "killed";
      } else {
        end = started.exitCode;
        // The first run may have been a slow one, and most moments would come too late.
        if (moments.length === 0) usualMs = Math.min(usualMs, performance.now() - startedAt);
        if (end !== 0) violations.push(`${project.folder}: a start ended with ${end}: ${started.said.slice(-500)}`);
      }
      violations.push(...atAnyMoment(project));
    }
    if (process.exitCode !== undefined) break;
    done += moments.length;
    projects += 1;
    goOn = everyWrite ? moments.length > 0 : done < wanted;
    const found = inspect(project, expected, moments.length);
    repeated += found.delegations - expected.delegations;
    violations.push(...found.violations);
    if (found.violations.length > 0) process.stdout.write(`${project.folder} was killed at ${moments.join(", ")}\n`);
    else rmSync(project.folder, { recursive: true });
  }
  rmSync(reference.folder, { recursive: true });
  process.stdout.write(
    `${done} kills, ${projects} projects, ${repeated} delegations repeated, ${violations.length} violations\n`,
  );
  for (const violation of violations) process.stdout.write(`  ${violation}\n`);
  process.exitCode ??= violations.length === 0 ? 0 : 1;
}

function newProject(kind) {
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-kill-"));
  kind.setUp(folder);
  const { exec, flags = [], width = 1, history } = kind;
  return { folder, spec: join(folder, kind.spec), exec, flags, width, history };
}

/** Starts the coordinator and kills it at a moment, when one is given: after some time, or before a write. */
async function start({ folder, spec, exec, flags }, { ms, write } = {}) {
  // Consent once: from then on the plan has to be found as it was left.
  const consent = existsSync(join(spec, ".fixpoint/run-1/journal-1.ndjson")) ? [] : ["--yes"];
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, ...env } = process.env;
  if (write !== undefined) Object.assign(env, { NODE_OPTIONS: `--import ${dieAtWrite}`, DIE_AT_WRITE: String(write) });
  const args = [cli, "run", spec, "--recovery-mode", "--exec", exec, "--reporter", "plain", ...flags, ...consent];
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
  const timer = ms === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), ms);
  const [exitCode, signal] = await once(child, "close");
  clearTimeout(timer);
  running.delete(child);
  return { exitCode, killed: signal === "SIGKILL", said };
}

function isComplete({ spec }) {
  const data = join(spec, ".fixpoint/run-1");
  const names = existsSync(data) ? readdirSync(data).filter((name) => /^journal-\d+\.ndjson$/.test(name)) : [];
  if (names.length === 0) return false;
  const text = readFileSync(join(data, `journal-${names.length}.ndjson`), "utf8");
  return openLine(text.trimEnd().split("\n").at(-1))?.ending?.outcome === "complete";
}

/** What must hold even in the middle: no file is torn, no task stands in the plan twice. */
function atAnyMoment({ folder, spec }) {
  const ids = idsIn(readFileSync(join(spec, "tasks.md"), "utf8"));
  const doubled = ids.filter((id, index) => ids.indexOf(id) !== index);
  const state = join(spec, ".ralph-state.json");
  const torn = existsSync(state) && !isJson(readFileSync(state, "utf8"));
  return [
    ...(doubled.length > 0 ? [`${folder}: in the plan twice: ${doubled}`] : []),
    ...(torn ? [`${folder}: the state file is torn`] : []),
  ];
}

/** What a finished project is, and what is wrong with it beside an undisturbed one. */
function inspect({ folder, spec, width, history }, expected, kills = 0) {
  const violations = [];
  const refuse = (what) => violations.push(`${folder}: ${what}`);
  const data = join(spec, ".fixpoint");
  const plan = readFileSync(join(spec, "tasks.md"), "latin1");
  const progress = readFileSync(join(spec, ".progress.md"), "utf8").replace(/ - [0-9a-f]{7,40}$/gm, "");
  const records = readJournals(join(data, "run-1"), refuse);

  const passed = new Set();
  for (const { type, key, task, answer } of records) {
    const accepts = type === "answered" && key.endsWith("/verify") && answer.kind === "accepted";
    if (accepts || (answer?.kind === "replanned" && answer.change === "SPLIT_TASK")) passed.add(taskOf(key));
    if (type === "delegated" && passed.has(task)) refuse(`task ${task} was run again after it had passed`);
  }
  for (const id of idsIn(plan)) if (!passed.has(id)) refuse(`task ${id} has never passed`);
  const made = records.flatMap(({ type, fix, plan: change }) =>
    type === "intended" ? [fix.id] : type === "planned" ? change.tasks.map(({ id }) => id) : [],
  );
  for (const id of made) if (made.indexOf(id) !== made.lastIndexOf(id)) refuse(`task ${id} was made twice`);
  const ends = records.filter(({ type }) => type === "ended");
  if (ends.length !== 1 || records.at(-1)?.ending?.outcome !== "complete") refuse(`it ended ${ends.length} times`);
  const delegations = records.filter(({ type }) => type === "delegated").length;
  if (records.at(-1)?.ending?.attempts !== delegations) refuse("the summary counts other delegations");

  const commits = history?.(folder);
  if (expected !== undefined) {
    if (commits !== expected.commits) refuse("the repository is another");
    if (plan !== expected.plan) refuse("the plan is another");
    if (progress !== expected.progress) refuse("the progress log is another");
    if (delegations > expected.delegations + kills * width) refuse(`${delegations} delegations after ${kills} kills`);
  }
  if (existsSync(join(spec, ".ralph-state.json"))) refuse("the state file is still there");
  if (readFileSync(join(data, ".gitignore"), "utf8") !== "*\n") refuse("the run data is not ignored by git");
  const runs = readdirSync(data).filter((name) => name !== ".gitignore");
  if (runs.join() !== "run-1") refuse(`there is more than one run: ${runs}`);
  const drafts = readdirSync(data, { recursive: true }).filter((name) => /\.tmp$|\.ndjson\.\d+$/.test(name));
  if (drafts.length > 0) refuse(`half-written files are left: ${drafts}`);
  const alive = processesWith(`FIXPOINT_SPEC=${spec}\0`);
  if (alive.length > 0) refuse(`processes are alive: ${alive}`);
  if (existsSync(join(folder, "work/overlaps"))) refuse("a task was worked on by two at once");
  return { plan, progress, commits, delegations, violations };
}

/** The records that count of all segments of a run, in order. */
function readJournals(folder, refuse) {
  const count = readdirSync(folder).filter((name) => /^journal-\d+\.ndjson$/.test(name)).length;
  const segments = Array.from({ length: count }, (_, index) => {
    const bytes = readFileSync(join(folder, `journal-${index + 1}.ndjson`));
    return { bytes, header: openLine(bytes.toString().split("\n")[0]) };
  });
  const records = segments.flatMap(({ bytes }, index) => {
    const after = segments[index + 1]?.header?.after;
    if (index + 1 < count && after?.segment !== index + 1) refuse(`segment ${index + 2} follows another one`);
    const lines = bytes.subarray(0, after?.bytes).toString().split("\n");
    if (lines.pop() !== "") refuse(`segment ${index + 1} does not end with a line`);
    return lines.slice(1).map(openLine);
  });
  records.forEach((record, index) => {
    if (record?.n !== index + 1)
      refuse(`record ${index + 1} is ${record === undefined ? "torn" : `record ${record.n}`}`);
  });
  return records.filter((record) => record !== undefined);
}

function openLine(line) {
  const cut = line.lastIndexOf(',"crc":');
  const whole = cut !== -1 && Number(line.slice(cut + 7, -1)) === crc32(line.slice(0, cut));
  return whole ? JSON.parse(`${line.slice(0, cut)}}`) : undefined;
}

function processesWith(entry) {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "latin1").includes(entry);
    } catch {
      return false;
    }
  });
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function idsIn(plan) {
  return [...plan.matchAll(/^- \[[ x]\] (\S+)/gm)].map(([, id]) => id);
}

function taskOf(key) {
  return key.slice(0, key.lastIndexOf("#"));
}

function git(folder, ...args) {
  const author = identity.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const neutral = ["-c", "core.hooksPath=/dev/null", "-c", "commit.gpgSign=false"];
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, ...env } = process.env;
  const said = spawnSync("git", [...author, ...neutral, ...args], { cwd: resolve(folder), env, encoding: "utf8" });
  if (said.status !== 0) throw new Error(`Cannot run \`git ${args.join(" ")}\`: ${said.stderr}`);
  return said.stdout;
}

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
