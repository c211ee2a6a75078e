/**
 * Preload (`node --import`): kills the program right before its nth durable action; `DIE_AT_WRITE` is n, from 1. A
 * durable action is a change in the working folder (or in `WRITES_WITHIN`) that a later process can see, or the start
 * of a child process, right after which the kill comes. Child processes are not affected.
 *
 * A write to a descriptor counts wherever its file is, unless the file has no name. Opening a file with truncation
 * counts with its first write. Changes of times and modes, and syncs, do not count: a kill before them equals a kill
 * before the next change.
 *
 * `STOP_AT_WRITE` stops the program (`SIGSTOP`) before its nth durable action instead.
 *
 * `DIE_AT_FILE` counts only changes by path, except those in the folder `WRITES_BESIDE`.
 *
 * `COUNT_WRITES` is the path of a file. A program that exits by itself writes its number of durable actions there.
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

/** By name of a call: whether its arguments make a change visible to a later process. */
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
/** Depth of nested calls, such as the write inside a `writeFileSync`. */
let depth = 0;

for (const [name, counts] of Object.entries(changes)) {
  const change = fs[name];
  fs[name] = (...given) => {
    // Counts nested writes too: before its first write, a new file is empty.
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
