/**
 * Preload (`node --import`) for a program with a limit on descriptors. Opens all of them when the program installs its
 * handler of uncaught errors, right before it loads its modules.
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
