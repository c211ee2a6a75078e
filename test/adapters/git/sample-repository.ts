import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { vi } from "vitest";
import { git } from "../../../src/adapters/git.ts";
import { temporaryFolder, writeScript } from "../../support/folder.ts";

/** The caller must undo this with `vi.unstubAllEnvs`. */
export function stubIdentity(): void {
  for (const name of ["AUTHOR", "COMMITTER"]) {
    vi.stubEnv(`GIT_${name}_NAME`, "a");
    vi.stubEnv(`GIT_${name}_EMAIL`, "a@example.org");
  }
  vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");
  vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
}

export const inFolder = (cwd: string, ...args: string[]): string =>
  execFileSync("git", args, { cwd, encoding: "utf8", stdio: "pipe" }).trim();

export function repository(commits = 1): string {
  const folder = temporaryFolder();
  inFolder(folder, "init", "-q", "-b", "main");
  for (let n = 0; n < commits; n++) inFolder(folder, "commit", "-q", "--allow-empty", "-m", `c${n}`);
  return folder;
}

export function write(folder: string, path: string, text = `${path}\n`): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

export function commitAll(folder: string, message = "all"): string {
  inFolder(folder, "add", "--all");
  inFolder(folder, "commit", "-q", "--allow-empty", "-m", message);
  return inFolder(folder, "rev-parse", "HEAD");
}

export const specIn = (folder: string): Record<string, string> => ({
  "tasks.md": join(folder, "tasks.md"),
  ".progress.md": join(folder, ".progress.md"),
});

export function sample() {
  const top = repository(0);
  write(top, "spec/tasks.md", "- [ ] 1.1 A\n");
  write(top, "spec/.progress.md", "# Log\n");
  write(top, "src/a.ts", "a\n");
  const first = commitAll(top, "first");
  return { top, first, git: git({ workspace: top, specFiles: specIn(join(top, "spec")) }) };
}

export function countCalls(): () => number {
  const folder = temporaryFolder();
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  write(folder, "calls", "");
  const log = join(folder, "calls");
  writeScript(folder, "git", `echo x >> '${log}'\nexec '${real}' "$@"`);
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
  return () => Number(execFileSync("wc", ["-l", log], { encoding: "utf8" }).split(" ")[0]);
}

/** Waits for a tick of the kernel's clock, so that later changes get a later time. */
export const passTick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));
