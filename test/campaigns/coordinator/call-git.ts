import { execFileSync } from "node:child_process";

/** The output of git in a folder. */
export const callGit = (folder: string, words: readonly string[], env: NodeJS.ProcessEnv): string =>
  execFileSync("git", words, { cwd: folder, env, encoding: "utf8" });
