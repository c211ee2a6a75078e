/**
 * Preload (`node --import`): opens all free descriptors while the program first starts a child named `NO_DESCRIPTORS`.
 */
import childProcess from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";

const { spawn } = childProcess;
let { NO_DESCRIPTORS: name } = process.env;
for (const variable of ["NO_DESCRIPTORS", "NODE_OPTIONS"]) delete process.env[variable];
childProcess.spawn = (file, ...given) => {
  if (basename(file) !== name) return spawn(file, ...given);
  name = undefined;
  const taken = takeAll();
  try {
    return spawn(file, ...given);
  } finally {
    for (const descriptor of taken) closeSync(descriptor);
  }
};
syncBuiltinESMExports();

function takeAll() {
  const taken = [];
  for (;;) {
    try {
      taken.push(openSync("/dev/null"));
    } catch (error) {
      if (error.code === "EMFILE") return taken;
      throw error;
    }
  }
}
