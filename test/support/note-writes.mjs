/**
 * Preload (`node --import`): logs writes, syncs, renames and started child processes as JSON lines into `NOTE_WRITES`.
 * `FAIL_SYNC` is the number, from 1, of the `fdatasync` that fails although its data is written.
 */
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { relative, resolve } from "node:path";

const {
  openSync,
  writeSync,
  writeFileSync,
  fsyncSync,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  renameSync,
  fstatSync,
} = fs;
const { NOTE_WRITES: report, FAIL_SYNC: refused = 0 } = process.env;
for (const name of ["NOTE_WRITES", "FAIL_SYNC", "NODE_OPTIONS"]) delete process.env[name];
const folder = process.cwd();
const notes = openSync(report, "a");
const opened = new Map();
let syncs = 0;
/** Nested calls are not logged, because the outer call is. */
let isWithin = false;

const nameOf = (path) => relative(folder, resolve(String(path))) || ".";
const placeOf = (file) => (typeof file === "number" ? opened.get(file) : nameOf(file));
function note(call, path, more = {}) {
  if (path === undefined || path.startsWith("..")) return;
  writeSync(notes, `${JSON.stringify({ call, path, ...more })}\n`);
}

function recordsIn(text) {
  if (!/^\{"n":.*\}\n$/.test(text)) return {};
  const { records } = JSON.parse(text);
  const flushed = records.flatMap(({ type, tasks }) => (type === "flushed" ? tasks : []));
  return { types: records.map(({ type }) => type), flushed };
}

fs.openSync = (path, ...given) => {
  const file = openSync(path, ...given);
  opened.set(file, nameOf(path));
  return file;
};
fs.writeSync = (file, ...given) => {
  if (!isWithin && fstatSync(file).nlink > 0) note("write", placeOf(file));
  return writeSync(file, ...given);
};
fs.writeFileSync = (file, content, options) => {
  isWithin = true;
  try {
    writeFileSync(file, content, options);
  } finally {
    isWithin = false;
  }
  note("write", placeOf(file), recordsIn(String(content)));
  // With `flush`, Node syncs without a call of this module.
  if (options?.flush === true) note("sync", placeOf(file));
};
fs.fdatasync = (file, done) => {
  fdatasync(file, (error) => {
    if (!error) note("sync", placeOf(file));
    done(error);
  });
};
for (const [name, sync] of Object.entries({ fsyncSync, fdatasyncSync })) {
  fs[name] = (file) => {
    if (name === "fdatasyncSync") syncs += 1;
    if (name === "fdatasyncSync" && syncs === Number(refused)) {
      note("refused", placeOf(file));
      throw Object.assign(new Error("EIO: i/o error, fdatasync"), { errno: -5, code: "EIO", syscall: "fdatasync" });
    }
    sync(file);
    note("sync", placeOf(file));
  };
}
fs.ftruncateSync = (file, ...given) => {
  ftruncateSync(file, ...given);
  note("truncate", placeOf(file));
};
fs.renameSync = (from, to) => {
  renameSync(from, to);
  note("rename", nameOf(to), { from: nameOf(from) });
};
const { spawn } = childProcess;
childProcess.spawn = (file, ...given) => {
  note("spawn", nameOf(file));
  return spawn(file, ...given);
};
syncBuiltinESMExports();
