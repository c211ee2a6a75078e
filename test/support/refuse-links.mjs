/**
 * Loaded before a program (`node --import`): no file can be given a second name, as on FAT. `REFUSE_LINKS` is what the
 * system answers. `DIE_AT_CLAIM` kills the program when it has created a segment and not written it yet. Programs that
 * it starts are left alone.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { REFUSE_LINKS: code = "EPERM", DIE_AT_CLAIM: dies } = process.env;
for (const name of ["REFUSE_LINKS", "DIE_AT_CLAIM", "NODE_OPTIONS"]) delete process.env[name];
const { openSync } = fs;

fs.linkSync = (from, to) => {
  throw Object.assign(new Error(`${code}: refused, link '${from}' -> '${to}'`), { errno: -1, code, syscall: "link" });
};
fs.openSync = (path, flags, ...given) => {
  const file = openSync(path, flags, ...given);
  if (dies !== undefined && flags === "ax") process.kill(process.pid, "SIGKILL");
  return file;
};
syncBuiltinESMExports();
