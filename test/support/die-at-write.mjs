/**
 * Preload (`node --import`): kills the program right before its nth durable action, with n in `DIE_AT_WRITE`, counted
 * from 1. A durable action is a change in the working folder (or in `WRITES_WITHIN`) that a later process can see, or
 * the start of a child process; in that case the kill comes right after the start. Child processes are not affected.
 *
 * A write to a descriptor counts wherever its file is, unless the file has no name. Opening a file with truncation
 * counts with its first write. Changes of times and modes, and syncs, do not count: no process depends on them, so a
 * kill before them equals a kill before the next change.
 *
 * `STOP_AT_WRITE` counts in the same way, and stops the program (`SIGSTOP`) before the action.
 *
 * `DIE_AT_FILE` counts only changes by path, except those in the folder `WRITES_BESIDE`.
 *
 * `COUNT_WRITES` is the path of a file into which a program that exits by itself writes its number of durable actions.
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

/** Whether a call, by its arguments, makes a change visible to a later process. */
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
/** Nested calls, such as the write of a `writeFileSync` into a path, are parts of the outer one. */
let depth = 0;

for (const [name, counts] of Object.entries(changes)) {
  const change = fs[name];
  fs[name] = (...given) => {
    // A new file may still be empty: its first write counts as well.
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
