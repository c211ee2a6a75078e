import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { doorOf } from "./door.mjs";
import { renderTable } from "./table.mjs";
import { medianOf, ratioOf, takeTurns } from "./take-turns.mjs";
import { timeCommand } from "./time-command.mjs";
import { makeSpec } from "./workload.mjs";

export async function benchStartUp({ cli, repetitions }) {
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-bench-"));
  const executor = join(folder, "executor.sh");
  writeFileSync(executor, "echo TASK_COMPLETE\n");
  const { spec } = makeSpec(join(folder, "lint"), 10);
  let made = 0;
  const compiled = { ...process.env, HOME: folder };
  const uncompiled = { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" };
  const node = (args, options) => timeCommand(process.execPath, args, { env: compiled, ...options });
  const runToDelegation = (env) => {
    made += 1;
    const { folder: workspace, spec: fresh } = makeSpec(join(folder, String(made)), 1);
    const options = ["--exec", `sh ${executor}`, "--trust-executor", "--reporter", "json"];
    return node([cli, "run", fresh, ...options], { cwd: workspace, until: '"task.delegated"', env });
  };
  try {
    const subjects = [
      { name: "node -e 0", measure: () => node(["-e", "0"]) },
      { name: "fixpoint --version", measure: () => node([cli, "--version"]) },
      { name: "fixpoint --help", measure: () => node([cli, "--help"]) },
      { name: "fixpoint lint, 10 tasks", measure: () => node([cli, "lint", spec]) },
      { name: "fixpoint run, to its first delegation", measure: () => runToDelegation(compiled) },
      { name: "the same, without cached code", measure: () => runToDelegation(uncompiled) },
      {
        name: 'import "fixpoint/node"',
        measure: () => node(["--input-type=module", "-e", `await import("${doorOf()}")`]),
      },
    ];
    // Fill the compile cache first, without measuring.
    await takeTurns(subjects, 1);
    const figures = await takeTurns(subjects, repetitions);
    const bare = figures.get("node -e 0");
    const rows = [...figures].map(([name, own]) => [
      name,
      medianOf(own, "wallMs"),
      ratioOf(own, bare, "wallMs"),
      Math.min(...own.map(({ cpuMs }) => cpuMs)),
      ratioOf(own, bare, "cpuMs"),
    ]);
    return `## Start\n\n${renderTable(["", "wall ms", "× bare node", "CPU ms, least", "× bare node"], rows)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
