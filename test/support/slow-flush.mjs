/**
 * Loaded before a program (`node --import`): an asynchronous `fdatasync` takes 50 ms longer, as on a slow disk. Programs
 * that it starts are left alone.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

delete process.env.NODE_OPTIONS;
const { fdatasync } = fs;
fs.fdatasync = (file, done) => {
  setTimeout(() => fdatasync(file, done), 50);
};
syncBuiltinESMExports();
