/**
 * Loaded before a program (`node --import`): kills it right before the change of a file that `DIE_AT_WRITE` counts to,
 * from 1. Programs that it starts are left alone.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const changes = [
  "writeSync",
  "writeFileSync",
  "renameSync",
  "linkSync",
  "rmSync",
  "mkdirSync",
  "futimesSync",
  "ftruncateSync",
  "openSync",
];
let left = Number(process.env.DIE_AT_WRITE ?? Infinity);
delete process.env.DIE_AT_WRITE;
delete process.env.NODE_OPTIONS;

for (const name of changes) {
  const change = fs[name];
  fs[name] = (...given) => {
    const reads = name === "openSync" && (given[1] === undefined || given[1] === "r");
    if (!reads) left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
    return change(...given);
  };
}
syncBuiltinESMExports();
