/** Preload (`node --import`): delays each asynchronous `fdatasync` for `SLOW_FLUSH_MS`, 50 by default. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { SLOW_FLUSH_MS: longer = 50 } = process.env;
for (const name of ["SLOW_FLUSH_MS", "NODE_OPTIONS"]) delete process.env[name];
const { fdatasync } = fs;
fs.fdatasync = (file, done) => {
  setTimeout(() => fdatasync(file, done), Number(longer));
};
syncBuiltinESMExports();
