/** Preload (`node --import`): opens all free descriptors right before the program loads its modules. */
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
