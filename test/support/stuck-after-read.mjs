/** Preload (`node --import`): once the program has read a plan, writes a file and blocks the program for a minute. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { openSync, readFileSync } = fs;
const { STUCK_FILE: file } = process.env;
const plans = new Set();
fs.openSync = (path, ...given) => {
  const opened = openSync(path, ...given);
  if (String(path).endsWith("tasks.md")) plans.add(opened);
  else plans.delete(opened);
  return opened;
};
fs.readFileSync = (from, ...given) => {
  const content = readFileSync(from, ...given);
  if (plans.has(from) || String(from).endsWith("tasks.md")) {
    fs.writeFileSync(file, "");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
  }
  return content;
};
syncBuiltinESMExports();
