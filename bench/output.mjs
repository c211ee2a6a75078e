import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeExecutor, prepareRun } from "./command-line.mjs";
import { median, renderTable } from "./table.mjs";
import { takeTurns } from "./take-turns.mjs";
import { timeCommand } from "./time-command.mjs";

const line = "info  compiled module src/unit.ts in 12 ms; ran 14 assertions; no warnings";

export async function benchOutput({ cli, megabytes, repetitions }) {
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-bench-"));
  try {
    const rows = [];
    for (const size of [0, ...megabytes]) {
      const script = `yes '${line}' | head -c ${size * 1_000_000}\necho\necho TASK_COMPLETE`;
      rows.push(await measureSize({ cli, folder, size, executor: makeExecutor(folder, script), repetitions }));
    }
    return [
      "## One task whose executor prints a lot, `fixpoint run`\n",
      renderTable(["MB printed", "floor wall ms", "wall ms", "wall - floor ms", "peak MiB", "ended"], rows),
    ].join("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureSize({ cli, folder, size, executor, repetitions }) {
  const place = join(folder, "run");
  const kept = join(folder, "kept");
  const shell = `${executor.join(" ")} > ${kept} && tail -n 1 ${kept} | grep -qx TASK_COMPLETE`;
  const freshly = (measure) => async () => {
    for (const path of [place, kept]) rmSync(path, { recursive: true, force: true });
    return measure();
  };
  const subjects = [
    { name: "floor", measure: freshly(() => timeCommand("sh", ["-c", shell])) },
    { name: "run", measure: freshly(() => watchRun(prepareRun({ cli, folder: place, tasks: 1, executor }))) },
  ];
  const taken = await takeTurns(subjects, repetitions);
  const of = (name, field) => median(taken.get(name).map((one) => one[field]));
  const apart = taken.get("run").map((one, at) => one.wallMs - taken.get("floor")[at].wallMs);
  const ends = [...new Set(taken.get("run").map(({ ended }) => ended))];
  return [size, of("floor", "wallMs"), of("run", "wallMs"), median(apart), of("run", "peakMiB"), ends.join("; ")];
}

function watchRun({ cwd, args }) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, [...args, "--max-task-iterations", "1"], {
      ...{ cwd, stdio: ["ignore", "pipe", "inherit"] },
    });
    let peakMiB = 0;
    const watch = setInterval(() => {
      peakMiB = peakOf(child.pid) ?? peakMiB;
    }, 10);
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
    child.on("error", reject).on("close", () => {
      clearInterval(watch);
      resolve({ wallMs: performance.now() - start, peakMiB, ended: endOf(printed) });
    });
  });
}

function peakOf(pid) {
  if (process.platform !== "linux") return Number.NaN;
  try {
    const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

function endOf(printed) {
  const { outcome, error } = JSON.parse(printed.trimEnd().split("\n").at(-1));
  return error === undefined ? outcome : `${outcome}: ${error.split("\n").at(-1).replace("Last error: ", "")}`;
}
