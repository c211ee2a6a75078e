import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environmentOf } from "../coordinator/environment-of.ts";
import { planOf, type Row } from "./rows.ts";

export interface Told {
  readonly exitCode: number | null;
  readonly said: string;
  readonly delegations: number;
  readonly fixes: readonly string[];
}

export async function tryRow(row: Row, program: string): Promise<Told> {
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-words-"));
  try {
    const workspace = join(folder, "work");
    mkdirSync(join(workspace, "specs/s"), { recursive: true });
    mkdirSync(join(folder, "tmp"));
    const files = { "README.md": "# Page\n", "specs/s/tasks.md": planOf(row), ...row.files };
    for (const [path, text] of Object.entries(files)) writeFileSync(join(workspace, path), text);
    writeFileSync(join(folder, "message"), row.says);
    const script = ["prompt=$(cat)", "echo >> ../calls", row.work ?? ":", "cat ../message", ""];
    writeFileSync(join(folder, "executor.sh"), script.join("\n"));
    const env = { ...environmentOf({ folder }), ...row.env };
    for (const args of [
      ["init", "-q"],
      ["add", "-A"],
      ["commit", "-qm", "Begin"],
    ])
      spawnSync("git", args, { cwd: workspace, env });
    const { exitCode, said } = await run(row, { workspace, env, program });
    const calls = join(folder, "calls");
    const plan = readFileSync(join(workspace, "specs/s/tasks.md"), "utf8");
    return {
      ...{ exitCode, said },
      delegations: existsSync(calls) ? readFileSync(calls, "utf8").length : 0,
      fixes: plan.split("\n").filter((line) => /^\s*- \[.\] .*\bFix: /.test(line)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Place {
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  readonly program: string;
}

async function run({ flags = [] }: Row, { workspace, env, program }: Place) {
  const executor = flags[0] === "--exec" ? [] : ["--exec", "sh ../executor.sh"];
  const words = ["run", "s", ...executor, "--yes", "--reporter", "plain", "--recovery-mode", ...flags];
  const child = spawn(process.execPath, [join(program, "src/hosts/cli/main.js"), ...words], {
    ...{ cwd: workspace, env, stdio: ["ignore", "pipe", "pipe"] },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (piece: string) => {
      said += piece;
    });
  }
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, said };
}
