import { execFileSync } from "node:child_process";

export const callGit = (folder: string, words: readonly string[], env: NodeJS.ProcessEnv): string =>
  execFileSync("git", words, { cwd: folder, env, encoding: "utf8" });
