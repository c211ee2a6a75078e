import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export function layOut(folder, files) {
  rmSync(folder, { recursive: true, force: true });
  const [home, workspace] = ["home", "workspace"].map((name) => join(folder, name));
  mkdirSync(home, { recursive: true });
  writeAll(workspace, { ...files, "README.md": "# demo\n" });
  const git = (...words) => execFileSync("git", words, { cwd: workspace });
  git("init", "-q", "-b", "main");
  git("config", "user.email", "someone@example.com");
  git("config", "user.name", "Someone");
  git("add", "-A");
  git("commit", "-qm", "begin");
  return { folder, home, workspace, tasks: join(workspace, tasksPath) };
}

export const tasksPath = "specs/demo/tasks.md";

export function writeAll(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

export const environmentOf = (tool, { home }) => ({
  ...{ HOME: home, TERM: "dumb", LANG: "C.UTF-8", SHELL: "/bin/sh" },
  PATH: [tool.bin, dirname(process.execPath), "/usr/local/bin:/usr/bin:/bin"].join(":"),
});

/** Waits a second first, because processes may still be ending. */
export async function processesOf(home) {
  await new Promise((later) => setTimeout(later, 1000));
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`HOME=${home}`);
    } catch {
      return false;
    }
  });
}
