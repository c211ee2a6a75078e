import { spawnSync } from "node:child_process";

/** @returns The output; undefined if git is not installed or fails. */
export function git(folder, ...args) {
  const identity = ["-c", "user.name=Demo", "-c", "user.email=demo@demo.invalid"];
  const neutral = ["-c", "core.hooksPath=/dev/null", "-c", "commit.gpgSign=false"];
  const options = { cwd: folder, encoding: "utf8", env: ownRepository() };
  const { status, stdout } = spawnSync("git", [...identity, ...neutral, ...args], options);
  return status === 0 ? stdout.trimEnd() : undefined;
}

/** Removes variables that name another repository, such as the repository whose hook started the demo. */
export function ownRepository() {
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, ...rest } = process.env;
  return rest;
}
