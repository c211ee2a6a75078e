/**
 * Loaded before the program (`node --import`) whose descriptors are limited: when it listens to errors that nobody
 * caught, and is about to load what it consists of, not one descriptor is left.
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
