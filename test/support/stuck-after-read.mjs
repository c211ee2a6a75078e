/** Loaded before the program (`node --import`): when it has read a plan, it is busy for a minute, and says so in a file. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { readFileSync } = fs;
const { STUCK_FILE: file } = process.env;
fs.readFileSync = (path, ...given) => {
  const content = readFileSync(path, ...given);
  if (String(path).endsWith("tasks.md")) {
    fs.writeFileSync(file, "");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
  }
  return content;
};
syncBuiltinESMExports();
