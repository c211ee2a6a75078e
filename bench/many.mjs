import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { renderTable } from "./table.mjs";

const program = fileURLToPath(new URL("many-specs.mjs", import.meta.url));

export async function benchMany({ specs, tasks, repetitions }) {
  const rows = [];
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const told = JSON.stringify({ specs, tasks, leastMs: 1000, mostMs: 3000 });
    const { stdout } = await promisify(execFile)(process.execPath, [program, told]);
    const { wallMs, cpuMs, count, p50, p99, most, stallMs, mostAtWork, mostFiles, peakMiB } = JSON.parse(stdout);
    const turns = specs * tasks;
    rows.push([specs, count, p50, p99, most, stallMs, cpuMs / turns, wallMs / 1000, mostAtWork, mostFiles, peakMiB]);
  }
  const ms = ["p50 ms", "p99 ms", "most ms", "longest stall ms", "CPU ms/task", "wall s"];
  return [
    "## Many specs in one process: from an answer to the next delegation of the same spec\n",
    renderTable(["specs", "turns", ...ms, "at work at once", "open files", "peak MiB"], rows),
  ].join("\n");
}
