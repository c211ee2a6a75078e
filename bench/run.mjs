import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { check, record } from "./check.mjs";
import { benchAgainst } from "./compare.mjs";
import { benchFleet } from "./fleet.mjs";
import { benchInProcess } from "./in-process.mjs";
import { watchMachine } from "./machine.mjs";
import { benchMany } from "./many.mjs";
import { benchOutput } from "./output.mjs";
import { benchPlanEditor } from "./plan-editor.mjs";
import { benchProcesses } from "./processes.mjs";
import { benchResume } from "./resume.mjs";
import { benchStartUp } from "./start-up.mjs";
import { benchVerify } from "./verify.mjs";
import { benchWatch } from "./watch.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const cli = fileURLToPath(new URL("../dist/src/hosts/cli/main.js", import.meta.url));

const groups = {
  "in-process": {
    about: "cost of a task and of a recovery with a function as executor; growth with the plan",
    tables: ({ short, sizes = short ? [100, 1000] : [100, 1000, 10_000], repetitions }) =>
      benchInProcess({ sizes, repetitions }),
  },
  processes: {
    about: "100 tasks with a process for each, library and command line",
    tables: ({ repetitions }) => benchProcesses({ cli, repetitions }),
  },
  start: {
    about: "`fixpoint run` to its first delegation, and other commands, compared with bare Node",
    tables: ({ repetitions }) => benchStartUp({ cli, repetitions: repetitions * 3 }),
  },
  resume: {
    about: "a run of 10 000 tasks and 100 000 records that was killed, to its first delegation",
    tables: ({ short, sizes = short ? [1000] : [10_000], repetitions }) =>
      benchResume({ cli, sizes, repetitions: repetitions * 12 }),
  },
  output: {
    about: "one task whose executor prints 100 MB and 1 GB: time and memory",
    tables: ({ short, megabytes = short ? [100] : [100, 1000], repetitions }) =>
      benchOutput({ cli, megabytes, repetitions }),
  },
  many: {
    about: "1 000 specs at once in one process, with functions of 1 to 3 s as executors",
    tables: ({ short, repetitions }) => benchMany({ specs: short ? 100 : 1000, tasks: 8, repetitions }),
  },
  verify: {
    about: "cost of a Verify per attempt without its command, in a repository of 100, 1 000 and 10 000 files",
    tables: ({ short, sizes = short ? [1000] : [100, 1000, 10_000], repetitions }) =>
      benchVerify({ sizes, tasks: 50, repetitions }),
  },
  "plan-editor": {
    about: "reading and editing plans, in memory and in a file",
    tables: ({ short, sizes = short ? [10, 100] : [10, 100, 1000, 10_000], repetitions }) =>
      benchPlanEditor({ sizes, repetitions }),
  },
  watch: {
    about: "`fixpoint watch`: delay from a record to its viewer, and cost of viewers",
    tables: ({ short, sizes = short ? [100] : [100, 10_000], repetitions }) =>
      benchWatch({ cli, sizes, repetitions: repetitions * 4 }),
  },
  fleet: {
    about: "a task on a fleet of one worker, compared with a bare workflow of its engine; needs Postgres",
    tables: ({ short, repetitions }) => benchFleet({ tasks: short ? 10 : 40, repetitions }),
  },
  bundles: {
    about: "bytes for a browser",
    tables: () => `## Bundles for a browser, in bytes\n\n\`\`\`text\n${bundleSizes()}\`\`\`\n`,
  },
};

const help = `Usage: npm run bench -- [options]     (after npm run build)

Prints the cost of runs as Markdown tables, compared with floors: the same job without a coordinator. Each run is in
a fresh process, after a warm-up of 20 tasks; floors and fixpoint take turns. Figures are medians, ratios those within
a repetition. All of it takes about 20 minutes on two cores that are otherwise idle.

Groups of rows:
${Object.entries(groups)
  .map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`)
  .join("\n")}

Floors:
  memory       one loop over a line scanner's view of the plan, written at the end
  journal      the plan kept on the disk, one record appended and flushed for each step;
               for --check with one bare git process per task
  processes    the same with a process for each task; for output, a shell that writes to a file

Options:
  --short                two repetitions at small sizes, in about two minutes
  --only <group,...>     these groups of rows
  --sizes <n,...>        tasks in the plans of in-process, resume (multiples of 20, from 60), watch and plan-editor
  --output <MB,...>      MB that the executor of the group output prints; without --only, only that group
  --repetitions <n>      of each run (default: 5); starts are made 3, watched runs 4, resumptions 12 times as often
  --compare <commit>     only compare this build with another commit, their runs in turn
  --check                short runs compared with bench/recorded.json: fails if CPU × floor, allocations or flushes are
                         a quarter worse
  --record               make those runs and record them
  --help
`;

function bundleSizes() {
  return execFileSync(process.execPath, ["scripts/size.mjs"], { cwd: root, encoding: "utf8" });
}

const print = (text) => process.stdout.write(`${text}\n`);

try {
  await main(readOptions());
} catch (error) {
  process.stderr.write(`ERROR: ${error.message}\n`);
  process.exitCode = 1;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      short: { type: "boolean", default: false },
      only: { type: "string" },
      sizes: { type: "string" },
      output: { type: "string" },
      repetitions: { type: "string" },
      compare: { type: "string" },
      check: { type: "boolean", default: false },
      record: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  return {
    ...values,
    only: (values.only ?? (values.output === undefined ? undefined : "output"))?.split(","),
    sizes: numbers("--sizes", values.sizes)?.toSorted((a, b) => a - b),
    megabytes: numbers("--output", values.output),
    repetitions: numbers("--repetitions", values.repetitions)?.[0],
  };
}

function numbers(option, text) {
  const read = text?.split(",").map(Number);
  if (read?.every((number) => Number.isInteger(number) && number > 0) ?? true) return read;
  throw new Error(`${option} ${text}: expected whole numbers above 0, separated by commas`);
}

async function main(options) {
  if (options.help) return print(help);
  if (!existsSync(cli)) throw new Error("There is no build to measure. Build it: npm run build");
  const repetitions = options.repetitions ?? (options.short ? 2 : 5);
  const { name, tellOthers } = watchMachine();
  print(`${name}\n`);
  if (options.check) process.exitCode = (await check(print)) ? 0 : 1;
  else if (options.record) await record(print);
  else if (options.compare !== undefined)
    print(await benchAgainst({ commit: options.compare, sizes: options.sizes ?? [100, 1000], repetitions }));
  else await bench({ ...options, repetitions });
  print(tellOthers());
}

async function bench({ only = Object.keys(groups), ...options }) {
  const unknown = only.find((name) => groups[name] === undefined);
  if (unknown !== undefined) throw new Error(`No group ${unknown}, expected one of ${Object.keys(groups).join(", ")}`);
  for (const name of only) {
    try {
      print(await groups[name].tables(options));
    } catch (error) {
      process.exitCode = 1;
      print(`## ${name}\n\nERROR: ${error.message}\n`);
    }
  }
}
