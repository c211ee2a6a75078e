import { spawnSync } from "node:child_process";

export function git(folder, ...args) {
  const identity = ["-c", "user.name=Demo", "-c", "user.email=demo@demo.invalid"];
  const neutral = ["-c", "core.hooksPath=/dev/null", "-c", "commit.gpgSign=false"];
  const options = { cwd: folder, encoding: "utf8", env: ownRepository() };
  const { status, stdout } = spawnSync("git", [...identity, ...neutral, ...args], options);
  return status === 0 ? stdout.trimEnd() : undefined;
}

/** Removes git's variables, which name another repository if a hook has started the demo. */
export function ownRepository() {
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, ...rest } = process.env;
  return rest;
}
