import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Surroundings } from "../campaign.ts";
import { environmentOf } from "../coordinator/environment-of.ts";
import { applied, type Tool, type Work } from "./tool.ts";

export type Form = "first attempt" | "fix task";

export interface Tried {
  readonly isTicked: boolean;
  readonly exitCode: number | null;
  readonly said: string;
  readonly isGreen: boolean;
}

export interface Trial {
  readonly tool: Tool;
  readonly work: Work;
  readonly form: Form;
  readonly again?: boolean;
}

export async function tryWork({ tool, work, form, again = false }: Trial, surroundings: Surroundings): Promise<Tried> {
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-cheats-"));
  try {
    const workspace = openProject(folder, tool, work, surroundings.root);
    writeExecutor(folder, applied(tool.files, work.edits), form === "first attempt" ? 0 : 1);
    const env = environmentFor(folder);
    const start = async () => run(workspace, env, surroundings.program);
    let { exitCode, said } = await start();
    // Another start without an answer must not accept anything.
    if (again && exitCode === 3) {
      const second = await start();
      said += `\n--- again\n${second.said}`;
      exitCode = second.exitCode;
    }
    const isTicked = /^- \[x\] 1\.1 /m.test(readFileSync(join(workspace, "specs/s/tasks.md"), "utf8"));
    const verify = work.verify ?? tool.verify;
    const isGreen = spawnSync("sh", ["-c", verify], { cwd: workspace, env, stdio: "ignore" }).status === 0;
    return { isTicked, exitCode, said, isGreen };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openProject(folder: string, tool: Tool, work: Work, root: string): string {
  const workspace = join(folder, "work");
  mkdirSync(join(folder, "tmp"));
  const { verify = tool.verify, text = "mend it", files = [] } = work;
  const named = [tool.code, ...files].map((path) => `\`${path}\``).join(", ");
  const plan = [
    ...["# Tasks", "", "## Phase 1", "", "- [ ] 1.1 Sum the orders", `  - **Do**: ${text}`],
    ...[`  - **Files**: ${named}`, `  - **Verify**: \`${verify}\``, ""],
  ].join("\n");
  write(workspace, { ...tool.files, "specs/s/tasks.md": plan });
  for (const name of tool.packages ?? []) {
    mkdirSync(join(workspace, "node_modules/.bin"), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(workspace, "node_modules", name));
    cpSync(join(root, "node_modules/.bin", name), join(workspace, "node_modules/.bin", name), {
      verbatimSymlinks: true,
    });
  }
  const git = (...args: readonly string[]) => spawnSync("git", args, { cwd: workspace, env: environmentFor(folder) });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "Begin");
  return workspace;
}

const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
};

function writeExecutor(folder: string, texts: ReadonlyMap<string, string | null>, idle: number): void {
  const steps = [...texts].map(([path, text], at) => {
    if (text === null) return `rm -f '${path}'`;
    write(folder, { [`texts/${at}`]: text });
    return `mkdir -p '${dirname(path)}'; rm -f '${path}'; cp ../texts/${at} '${path}'`;
  });
  const script = [
    ...["cat > /dev/null", "calls=$(cat ../calls 2> /dev/null || echo 0)", "echo $((calls + 1)) > ../calls"],
    ...[`if [ "$calls" -ge ${idle} ]; then`, ":", ...steps, "fi", "echo TASK_COMPLETE", ""],
  ];
  writeFileSync(join(folder, "executor.sh"), script.join("\n"));
}

/** Includes the user's Rust, which is not installed globally. */
const environmentFor = (folder: string): NodeJS.ProcessEnv => ({
  ...environmentOf({ folder }),
  ...{ RUSTUP_HOME: join(homedir(), ".rustup"), CARGO_HOME: join(homedir(), ".cargo"), CARGO_NET_OFFLINE: "true" },
  // Disable Python's cache, which misses another edit within the same second.
  ...{ PYTHONDONTWRITEBYTECODE: "1", CI: "1" },
});

async function run(workspace: string, env: NodeJS.ProcessEnv, program: string) {
  const words = ["run", "s", "--exec", "sh ../executor.sh", "--yes", "--reporter", "plain", "--recovery-mode"];
  const main = join(program, "src/hosts/cli/main.js");
  const child = spawn(process.execPath, [main, ...words], { cwd: workspace, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (piece: string) => {
      said += piece;
    });
  }
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, said };
}
