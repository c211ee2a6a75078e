import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import type { Project } from "./project.ts";

export function withoutGitConfig(): void {
  beforeAll(() => {
    vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");
    vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
  });
  afterAll(() => {
    vi.unstubAllEnvs();
  });
}

type Place = Pick<Project, "workspace">;

export const text = ({ workspace }: Place, path: string): string | null =>
  existsSync(join(workspace, path)) ? readFileSync(join(workspace, path), "utf8") : null;

export function write({ workspace }: Place, path: string, content: string): void {
  mkdirSync(join(workspace, dirname(path)), { recursive: true });
  writeFileSync(join(workspace, path), content);
}

export const git = ({ workspace }: Place, ...words: readonly string[]): string =>
  execFileSync("git", words, { cwd: workspace, encoding: "utf8" });

export function beginRepository(made: Place): void {
  for (const words of ["init -q -b main", "add -A", "-c user.name=a -c user.email=a@b commit -qm x"]) {
    git(made, ...words.split(" "));
  }
}
