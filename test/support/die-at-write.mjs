/**
 * Preload (`node --import`): kills the program right before durable action number `DIE_AT_WRITE`, from 1. Child
 * processes are not affected.
 *
 * A durable action changes the working folder (or `WRITES_WITHIN`) visibly for a later process. Syncs and changes of
 * times or modes do not count. The start of a child process counts too: the kill follows right after the start.
 *
 * - `STOP_AT_WRITE`: suspends the program instead.
 * - `DIE_AT_FILE`: counts only changes of paths outside of `WRITES_BESIDE`.
 * - `COUNT_WRITES`: file that gets the number of durable actions at a normal exit.
 */
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { resolve, sep } from "node:path";

const { existsSync, fstatSync } = fs;
const folder = `${process.env.WRITES_WITHIN ?? process.cwd()}${sep}`;
const isWithin = (path) => resolve(String(path)).startsWith(folder);
const isThere = (path) => isWithin(path) && existsSync(path);
const isMissing = (path) => isWithin(path) && !existsSync(path);
const isNamed = (file) => (typeof file === "number" ? file > 2 && fstatSync(file).nlink > 0 : isWithin(file));

const changes = {
  writeSync: isNamed,
  writeFileSync: isNamed,
  appendFileSync: isNamed,
  renameSync: isWithin,
  linkSync: isWithin,
  symlinkSync: (_target, path) => isWithin(path),
  copyFileSync: (_from, to) => isWithin(to),
  rmSync: isThere,
  unlinkSync: isThere,
  rmdirSync: isThere,
  mkdirSync: isMissing,
  truncateSync: isWithin,
  ftruncateSync: isNamed,
};

const beside = `${process.env.WRITES_BESIDE ?? ""}${sep}`;
const { DIE_AT_FILE: lastFile = Infinity } = process.env;
const { DIE_AT_WRITE: last = Infinity, STOP_AT_WRITE: pause = Infinity, COUNT_WRITES: report } = process.env;
for (const name of [
  "DIE_AT_WRITE",
  "STOP_AT_WRITE",
  "COUNT_WRITES",
  "WRITES_WITHIN",
  "NODE_OPTIONS",
  "DIE_AT_FILE",
  "WRITES_BESIDE",
])
  delete process.env[name];
let made = 0;
let files = 0;
let depth = 0;

for (const [name, counts] of Object.entries(changes)) {
  const change = fs[name];
  fs[name] = (...given) => {
    // Counts nested writes, because a kill can come between the creation of a file and its first write.
    if ((depth === 0 || name === "writeSync") && counts(...given)) {
      const path = given[name === "symlinkSync" ? 1 : 0];
      if (typeof path !== "number" && !resolve(String(path)).startsWith(beside)) files += 1;
      if (files === Number(lastFile)) process.kill(process.pid, "SIGKILL");
      arrive();
    }
    depth += 1;
    try {
      return change(...given);
    } finally {
      depth -= 1;
    }
  };
}
const { spawn } = childProcess;
childProcess.spawn = (...given) => {
  const child = spawn(...given);
  arrive();
  return child;
};
syncBuiltinESMExports();
const { writeFileSync } = fs;
if (report !== undefined) process.on("exit", () => writeFileSync(report, String(made)));

function arrive() {
  made += 1;
  if (made === Number(pause)) process.kill(process.pid, "SIGSTOP");
  if (made === Number(last)) process.kill(process.pid, "SIGKILL");
}
