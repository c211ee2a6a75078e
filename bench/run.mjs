// Prints what a run costs beside floors that do the same job without a coordinator. Figures of a busy machine are too
// high; the ratios are of runs made in turn and hold.
import { execFileSync } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { benchAgainst } from "./compare.mjs";
import { benchInProcess } from "./in-process.mjs";
import { benchPlanEditor } from "./plan-editor.mjs";
import { benchProcesses } from "./processes.mjs";
import { benchRecovery } from "./recovery.mjs";
import { benchStartUp } from "./start-up.mjs";

const help = `Usage: npm run bench -- [options]     (after npm run build)

What a run costs, beside floors that do the same job without a coordinator. Each run is made in a fresh process, after
a warm-up of 20 tasks; floors and fixpoint take turns. Figures are medians, ratios those within a repetition.

Floors:
  memory     one loop over a line scanner's view of the plan, written at the end
  journal    the plan kept on the disk, one record appended and synced a step
  processes  the same with a process for each task

Options:
  --quick              two repetitions of everything, 10 and 100 tasks, no sizes
  --plan-editor        nothing but the plan editor, to 10 000 tasks, and the sizes of bundles
  --recovery           nothing but the recovery of a run that was killed, to 10 000 tasks and 100 000 records,
                       each 100 times unless told otherwise; sizes are multiples of 20, from 60
  --compare <commit>   nothing but what this build costs beside that of another commit, all runs of both in turn
  --sizes <n,n>        sizes of the plans (default: 10,100,1000)
  --repetitions <n>    of each run; three times that of each start (default: 5)
  --help
`;

const root = fileURLToPath(new URL("..", import.meta.url));
const cli = fileURLToPath(new URL("../dist/src/hosts/cli/main.js", import.meta.url));
const print = (text) => process.stdout.write(`${text}\n`);

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    "plan-editor": { type: "boolean", default: false },
    recovery: { type: "boolean", default: false },
    compare: { type: "string" },
    sizes: { type: "string" },
    repetitions: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) print(help);
else if (values.recovery) await recovery();
else if (values.compare !== undefined) await compare(values.compare);
else await bench();

async function recovery() {
  const sizes = (values.sizes ?? (values.quick ? "100,1000" : "100,1000,10000")).split(",").map(Number);
  if (!sizes.every((size) => size >= 60 && size % 20 === 0)) throw new Error(`Cannot use --sizes ${values.sizes}`);
  printMachine();
  print(await benchRecovery({ cli, sizes, repetitions: Number(values.repetitions ?? (values.quick ? 10 : 100)) }));
  printMachine();
}

async function compare(commit) {
  const sizes = (values.sizes ?? "100,1000").split(",").map(Number);
  printMachine();
  print(await benchAgainst({ commit, sizes, repetitions: Number(values.repetitions ?? (values.quick ? 2 : 5)) }));
  printMachine();
}

function printMachine() {
  print(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}\n`);
}

async function bench() {
  const given = (values.sizes ?? (values.quick ? "10,100" : "10,100,1000")).split(",").map(Number);
  if (!given.every((size) => Number.isInteger(size) && size > 0)) throw new Error(`Cannot use --sizes ${values.sizes}`);
  const sizes = [...new Set([...given, 100])].sort((a, b) => a - b);
  const repetitions = Number(values.repetitions ?? (values.quick ? 2 : 5));
  printMachine();
  // Reading alone is cheap enough for one size more.
  const larger = values.quick || values.sizes !== undefined ? sizes : [...sizes, 10_000];
  print(await benchPlanEditor({ sizes: larger, repetitions }));
  if (!values["plan-editor"]) {
    print(await benchInProcess({ sizes, repetitions }));
    print(await benchProcesses({ cli, repetitions }));
    print(await benchStartUp({ cli, repetitions: repetitions * 3 }));
  }
  if (!values.quick) print(`## Bundles for a browser, in bytes\n\n${bundleSizes()}`);
}

function bundleSizes() {
  return execFileSync(process.execPath, ["scripts/size.mjs"], { cwd: root, encoding: "utf8" });
}
