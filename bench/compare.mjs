import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeExecutor, timeRun } from "./command-line.mjs";
import { renderTable } from "./table.mjs";
import { measureRun, medianOf, ratioOf, takeTurns } from "./take-turns.mjs";
import { timeCommand } from "./time-command.mjs";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

export async function benchAgainst({ commit, sizes, repetitions }) {
  if (spawnSync("git", ["rev-parse", "--verify", "--quiet", `${commit}^{commit}`], { cwd: root }).status !== 0) {
    throw new Error(`There is no commit ${commit}`);
  }
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-bench-"));
  const other = join(folder, "build");
  const git = (...args) => execFileSync("git", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  git("worktree", "add", "--quiet", "--detach", other, commit);
  try {
    buildIn(other);
    const jobs = jobsIn(folder, sizes);
    const subjects = jobs.flatMap(({ name, measure }) =>
      [root, other].map((build) => ({ name: `${name} ${build}`, measure: () => measure(build) })),
    );
    const figures = await takeTurns(subjects, repetitions);
    const rows = jobs.map(({ name, tasks }) => {
      const [own, old] = [root, other].map((build) => figures.get(`${name} ${build}`));
      const of = (field) => [medianOf(own, field) / tasks, medianOf(old, field) / tasks, ratioOf(own, old, field)];
      const allocated = own.every(({ allocKb }) => allocKb !== undefined && old[0].allocKb !== undefined);
      return [name, ...of("cpuMs"), ...of("wallMs"), ...(allocated ? of("allocKb") : ["", "", ""])];
    });
    const heads = ["CPU ms", "wall ms", "KB allocated"].flatMap((name) => [name, "before", "×"]);
    return `## This build compared with ${commit}, per task or start\n\n${renderTable(["", ...heads], rows)}`;
  } finally {
    git("worktree", "remove", "--force", other);
    rmSync(folder, { recursive: true, force: true });
  }
}

function buildIn(folder) {
  const lock = (place) => readFileSync(join(place, "package-lock.json"), "utf8");
  const npm = (...args) => execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  if (lock(folder) === lock(root)) symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  else npm("ci", "--no-audit", "--no-fund", "--ignore-scripts");
  npm("run", "-s", "build");
}

function jobsIn(folder, sizes) {
  const command = makeExecutor(folder);
  const cliOf = (build) => join(build, "dist/src/hosts/cli/main.js");
  let made = 0;
  const runCli = (build, tasks, until) => {
    made += 1;
    return timeRun({ cli: cliOf(build), folder: join(folder, String(made)), tasks, executor: command }, until);
  };
  const inProcess = [0, 10].flatMap((failEvery) =>
    sizes.map((tasks) => ({
      ...{ name: `${tasks} tasks, ${failEvery === 0 ? "none" : `every ${failEvery}th`} failing`, tasks },
      measure: (build) => measureRun({ subject: "fixpoint", tasks, failEvery, build }),
    })),
  );
  return [
    ...inProcess,
    {
      ...{ name: "a process per task, library", tasks: 100 },
      measure: (build) => measureRun({ subject: "fixpoint, processes", tasks: 100, command, build }),
    },
    { name: "a process per task, `fixpoint run`", tasks: 100, measure: (build) => runCli(build, 100) },
    {
      name: "`fixpoint run`, to its first delegation",
      tasks: 1,
      measure: (build) => runCli(build, 1, '"task.delegated"'),
    },
    {
      ...{ name: "`fixpoint --version`", tasks: 1 },
      measure: (build) => timeCommand(process.execPath, [cliOf(build), "--version"]),
    },
  ];
}
