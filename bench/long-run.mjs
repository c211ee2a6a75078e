// Creates a long run that was killed in the middle of a turn: repeats the records of a short run with new numbers.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";

const killedRun = fileURLToPath(new URL("killed-run.mjs", import.meta.url));
const tasksPerPhase = 20;
/** Number of the repeated phase. No other number of a run may contain these digits. */
const model = 90_001;
const failures = [1, 1, 2, 1, 1, 0, 1, 3, 0, 0];
const chatter = "info  compiled module src/unit.ts in 12 ms; ran 14 assertions; no warnings\n".repeat(8);

export function scriptedFailures() {
  const asked = new Map();
  return (task) => {
    const [, number, fix] = task.split(".");
    const before = asked.get(task) ?? 0;
    asked.set(task, before + 1);
    const usage = { inputTokens: 1200 + before, outputTokens: 310, costUsd: 0.0125 };
    if (fix === undefined && before < failures[number % failures.length]) {
      const error = `- Error: File not found: src/unit${number}.ts\n- Attempted fix: Looked in other folders\n`;
      return { text: `${chatter}Task ${task}: Implement unit FAILED\n${error}`, usage };
    }
    return { text: `${chatter}Task ${task}: Implement unit DONE\nTASK_COMPLETE\n`, usage };
  };
}

export const stateHome = (workspace) => `${workspace}-state`;

export async function runToDelegation(job) {
  // Use separate user data, because data of an earlier run in this folder would not match.
  const env = { ...process.env, XDG_STATE_HOME: stateHome(job.workspace) };
  const killed = await promisify(execFile)(process.execPath, [killedRun, JSON.stringify(job)], { env }).catch(
    (error) => error,
  );
  if (killed.signal !== "SIGKILL") throw killed;
  return JSON.parse(killed.stdout);
}

export async function makeLongRun(folder, tasks, { entry, product }) {
  const { sealLine } = product;
  const phases = tasks / tasksPerPhase;
  const made = await makeModel(entry);
  const spec = join(folder, "specs", "bench");
  const run = join(spec, ".fixpoint", "run-1");
  mkdirSync(run, { recursive: true });
  const last = phases - 1;
  const plan = [];
  const before = [];
  const progress = [];
  for (let phase = 1; phase <= phases; phase += 1) {
    const numbered = numberedAs(phase);
    before.push(numbered(made.open));
    plan.push(numbered(phase < last ? made.done : phase === last ? made.half : made.open));
    if (phase <= last) progress.push((phase < last ? made.logged : made.halfLogged).map(numbered));
  }
  writeFileSync(join(spec, "tasks.md"), plan.join(""));
  const [passed, fixed] = [0, 1].map((part) => progress.map((lines) => lines[part]).join(""));
  writeFileSync(
    join(spec, ".progress.md"),
    `# Progress: bench\n\n## Completed Tasks\n${passed}\n## Fix Task History\n${fixed}\n## Learnings\n\n- Plan written\n`,
  );

  const ends = [Math.ceil(last / 10), Math.ceil(last / 5), last];
  const at = { n: 0, turn: 0, elapsedMs: 0 };
  const written = [];
  let from = 1;
  let after = null;
  for (const [index, end] of ends.entries()) {
    const segment = index + 1;
    const upTo = (done) => [...plan.slice(0, done), ...before.slice(done)].join("");
    const planHash = createHash("sha256")
      .update(upTo(from - 1))
      .digest("hex");
    // The saved plan may lack the last 64 passed tasks, because a start saves it only after every 64.
    const kept = Math.max(from - 1, end - 1 - Math.floor(64 / tasksPerPhase));
    writeFileSync(join(run, `plan-${segment}.md`), upTo(kept));
    const lines = [sealLine({ ...made.header, segment, after, planHash, open: tasks })];
    let bytes = Buffer.byteLength(lines[0]);
    for (let phase = from; phase <= end; phase += 1) {
      for (const [place, line] of (phase < last ? made.turns : made.tail).entries()) {
        const reach = { end: { segment, bytes, crc: crc32(lines.at(-1)) }, records: at.n };
        const moved = renumber(line, phase, at);
        const sealed = sealLine(moved);
        lines.push(sealed);
        bytes += Buffer.byteLength(sealed);
        const end = { segment, bytes, crc: crc32(sealed) };
        written.push({ line: moved, size: sealed.length, reach, end, phase: place === 0 ? phase : null, kept });
      }
    }
    writeFileSync(join(run, `journal-${segment}.ndjson`), lines.join(""));
    after = { segment, bytes };
    from = end + 1;
  }
  const { reach, phase, kept } = keepSnapshot(run, written, product) ?? {};
  if (reach !== undefined && phase - 1 > kept) {
    writeFileSync(
      join(run, `plan-${reach.end.segment}.md`),
      [...plan.slice(0, phase - 1), ...before.slice(phase - 1)].join(""),
    );
  }
  const key = made.key.replace(String(model), String(last));
  return { spec, key, records: at.n, head: headOf(written, product) };
}

function headOf(written, { beginHead, openHead }) {
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-bench-"));
  try {
    beginHead(folder, 1);
    const head = openHead(folder, 1);
    const spent = { iterations: 0, elapsedMs: 0, costUsd: 0, tokens: 0 };
    for (const { line, end } of written) {
      const { records } = line;
      if (records.some(({ type }) => type === "delegated" || type === "intended")) head.note(end, records, spent);
      for (const { type, elapsedMs = spent.elapsedMs, reply } of records) {
        spent.elapsedMs = elapsedMs;
        spent.iterations += type === "delegated" ? 1 : 0;
        spent.costUsd += reply?.usage.costUsd ?? 0;
        spent.tokens += reply === undefined ? 0 : reply.usage.inputTokens + reply.usage.outputTokens;
      }
    }
    head.close();
    return readFileSync(join(folder, "run-1.head"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function noteBefore(workspace, head) {
  const home = stateHome(workspace);
  const path = join(
    home,
    readdirSync(home, { recursive: true }).find((name) => name.endsWith("run-1.head")),
  );
  writeFileSync(path, Buffer.concat([head, readFileSync(path)]));
}

function keepSnapshot(folder, written, { newRun, apply, writeSnapshot }) {
  const applied = (lines) => {
    const state = newRun();
    for (const { line } of lines) for (const record of line.records) apply(state, record);
    return state;
  };
  const due = Math.max(262_144, JSON.stringify(applied(written)).length / 2);
  let behind = 0;
  let index = written.length - 1;
  for (; index > 0 && (behind < due || written[index].phase === null); index -= 1) {
    behind += written[index].size;
  }
  if (index <= 0) return undefined;
  writeSnapshot(folder, { ...written[index].reach, written: 0 }, JSON.stringify(applied(written.slice(0, index))));
  return written[index];
}

const numberedAs = (phase) => (text) => text.replaceAll(/90001(?=[.x:])/g, String(phase));

function renumber(line, phase, at) {
  const numbered = numberedAs(phase);
  const moved = JSON.parse(JSON.stringify(line), (_, value) => (typeof value === "string" ? numbered(value) : value));
  moved.n = at.n + 1;
  at.n += moved.records.length;
  moved.at += at.n;
  for (const record of moved.records) {
    if (record.effect === "chooseTask") {
      at.turn += 1;
      record.key = `run#${at.turn}/chooseTask`;
    }
    if (record.elapsedMs !== undefined) {
      at.elapsedMs += 12.3;
      record.elapsedMs = at.elapsedMs;
    }
  }
  return moved;
}

async function makeModel(entry) {
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-bench-"));
  try {
    const half = await makeKilled(join(folder, "half"), `${model}.10`, { entry });
    const whole = await makeKilled(join(folder, "whole"), "99999.1", { entry });
    const lastTurn = whole.lines.findLastIndex(({ records }) => records.some(({ effect }) => effect === "chooseTask"));
    return {
      header: whole.header,
      turns: whole.lines.slice(0, lastTurn),
      tail: half.lines,
      key: half.key,
      open: openPhase(model),
      done: phaseOf(whole.plan),
      half: phaseOf(half.plan),
      logged: loggedIn(whole.progress),
      halfLogged: loggedIn(half.progress),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeKilled(workspace, killAt, { entry }) {
  const spec = join(workspace, "specs", "bench");
  mkdirSync(spec, { recursive: true });
  writeFileSync(join(spec, "tasks.md"), `${openPhase(model)}${openPhase(99_999)}`);
  writeFileSync(
    join(spec, ".progress.md"),
    "# Progress: bench\n\n## Completed Tasks\n\n## Learnings\n\n- Plan written\n",
  );
  const { key } = await runToDelegation({ entry, spec, workspace, killAt });
  const [header, ...lines] = readFileSync(join(spec, ".fixpoint", "run-1", "journal-1.ndjson"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const one of [header, ...lines]) delete one.crc;
  return {
    key,
    header,
    lines,
    plan: readFileSync(join(spec, "tasks.md"), "utf8"),
    progress: readFileSync(join(spec, ".progress.md"), "utf8"),
  };
}

function openPhase(phase) {
  const lines = [`## Phase ${phase}: Units`, ""];
  for (let number = 1; number <= tasksPerPhase; number += 1) {
    const unit = `unit${phase}x${number}`;
    lines.push(
      `- [ ] ${phase}.${number} Implement ${unit} of the module`,
      `  - **Do**: Add function ${unit} to src/${unit}.ts and export it from the index`,
      `  - **Files**: src/${unit}.ts, src/index.ts`,
      `  - **Done when**: ${unit} is exported and its test passes`,
      `  - **Verify**: \`echo "${unit}: 14 assertions passed"\``,
      `  - **Commit**: feat(unit): add ${unit}`,
      "",
    );
  }
  return lines.join("\n");
}

const phaseOf = (plan) => plan.slice(0, plan.indexOf("## Phase 99999"));

function loggedIn(progress) {
  const own = progress.split("\n").filter((line) => line.includes(`${model}.`));
  const join = (part) => part.map((line) => `${line}\n`).join("");
  return [join(own.filter((line) => line.startsWith("- [x]"))), join(own.filter((line) => !line.startsWith("- [x]")))];
}
