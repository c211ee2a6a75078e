/**
 * Preload (`node --import`): kills the program before change number `DIES_AT` (from 1) of the file `DIES_BEFORE`.
 * Creates the file `dies` right before the kill.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { resolve } from "node:path";

const target = resolve(process.env["DIES_BEFORE"] ?? "");
let left = Number(process.env["DIES_AT"]);
for (const name of ["DIES_BEFORE", "DIES_AT", "NODE_OPTIONS"]) delete process.env[name];

const { openSync } = fs;
const arrive = (path) => {
  if (typeof path !== "string" || resolve(path) !== target) return;
  left -= 1;
  if (left > 0) return;
  fs.closeSync(openSync("dies", "w"));
  process.kill(process.pid, "SIGKILL");
};
fs.openSync = (path, flags, ...more) => {
  if (typeof flags === "number" ? (flags & 3) !== 0 : /[wa+]/.test(flags ?? "r")) arrive(path);
  return openSync(path, flags, ...more);
};
const places = { renameSync: 1, copyFileSync: 1, writeFileSync: 0, appendFileSync: 0, truncateSync: 0 };
for (const [name, place] of Object.entries(places)) {
  for (const [functions, key] of [
    [fs, name],
    [fs.promises, name.replace("Sync", "")],
  ]) {
    const change = functions[key];
    functions[key] = (...given) => {
      arrive(given[place]);
      return change(...given);
    };
  }
}
syncBuiltinESMExports();
