/**
 * Loaded before the program (`node --import`) whose descriptors are limited: when it installs its handler of uncaught
 * errors, and is about to load its modules, it has no free descriptor.
 */
import { openSync } from "node:fs";

const on = process.on.bind(process);
process.on = (name, listener) => {
  if (name === "uncaughtException") takeAll();
  return on(name, listener);
};

function takeAll() {
  try {
    for (;;) openSync("/dev/null");
  } catch (error) {
    if (error.code !== "EMFILE") throw error;
  }
}
