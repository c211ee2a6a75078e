import { execFileSync } from "node:child_process";

/** What git prints in a folder. */
export const callGit = (folder: string, words: readonly string[], env: NodeJS.ProcessEnv): string =>
  execFileSync("git", words, { cwd: folder, env, encoding: "utf8" });
