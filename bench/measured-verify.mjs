// Prints the CPU time of one run in a repository of many files. Started by `verify.mjs`.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childrenCpuMs } from "./children-cpu.mjs";
import { doorOf } from "./door.mjs";

const { subject, tasks, files, build } = JSON.parse(process.argv[2]);
const commandOf = (id) => `test -f made/${id}`;

const subjects = {
  commands: async ({ workspace }) => {
    for (let id = 1; id <= tasks; id += 1) {
      for (const at of ["before", "behind"]) {
        if (at === "behind") writeFileSync(join(workspace, "made", `${id}`), "");
        await once(spawn("sh", ["-c", commandOf(id)], { cwd: workspace, stdio: ["ignore", "pipe", "pipe"] }), "close");
      }
    }
  },
  git: async ({ workspace }) => {
    const words = ["ls-files", "-z", "-o", "-m", "--exclude-standard"];
    for (let id = 1; id <= tasks; id += 1) {
      await once(spawn("git", words, { cwd: workspace, stdio: ["ignore", "pipe", "pipe"] }), "close");
    }
  },
  "add and write-tree": async ({ workspace }) => {
    const env = { ...process.env, GIT_INDEX_FILE: join(workspace, ".git", "bench-index") };
    execFileSync("git", ["read-tree", "HEAD"], { cwd: workspace, env });
    for (let id = 1; id <= tasks; id += 1) {
      writeFileSync(join(workspace, "made", `${id}`), "");
      for (const words of [["add", "-A"], ["write-tree"]])
        await once(spawn("git", words, { cwd: workspace, env, stdio: ["ignore", "pipe", "pipe"] }), "close");
    }
  },
  "no repository": (place) => {
    rmSync(join(place.workspace, ".git"), { recursive: true });
    return run(place, () => "");
  },
  "no Verify": (place) => run(place, () => ""),
  Verify: (place) => run(place, (id) => `  - **Verify**: \`${commandOf(id)}\`\n`),
};

async function run({ workspace, spec }, verifyOf) {
  const block = (_, index) => `- [ ] ${index + 1} Make ${index + 1}\n${verifyOf(index + 1)}`;
  writeFileSync(join(spec, "tasks.md"), `# Tasks\n\n${Array.from({ length: tasks }, block).join("")}`);
  const { runSpec } = await import(doorOf(build));
  const executor = async ({ taskId }) => {
    writeFileSync(join(workspace, "made", taskId), "");
    return "TASK_COMPLETE";
  };
  const policy = { recheck: false, maxGlobalIterations: 1_000_000 };
  const { outcome, error } = await runSpec({ spec, workspace, policy, executors: { executor }, yes: true });
  if (outcome !== "complete") throw new Error(`The run ended with ${outcome}: ${error}`);
}

function makePlace() {
  const workspace = mkdtempSync(join(tmpdir(), "fixpoint-bench-"));
  const spec = join(workspace, "specs", "bench");
  for (const folder of [spec, join(workspace, "made")]) mkdirSync(folder, { recursive: true });
  for (let at = 0; at < files; at += 1) {
    const folder = join(workspace, "src", String(at % 50));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${at}.ts`), `export const unit${at} = ${at};\n`.repeat(40));
  }
  const git = (...words) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...words], { cwd: workspace });
  for (const words of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-qm", "all"],
  ])
    git(...words);
  return { workspace, spec };
}

const place = makePlace();
process.env.XDG_STATE_HOME = join(place.workspace, "..", `${place.workspace}-state`);
try {
  const children = childrenCpuMs();
  const cpu = process.cpuUsage();
  await subjects[subject](place);
  const { user, system } = process.cpuUsage(cpu);
  process.stdout.write(`${JSON.stringify({ cpuMs: (user + system) / 1000 + childrenCpuMs() - children })}\n`);
} finally {
  for (const folder of [place.workspace, process.env.XDG_STATE_HOME]) rmSync(folder, { recursive: true, force: true });
}
