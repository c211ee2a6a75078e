import { readFileSync } from "node:fs";
import * as exported from "../src/index.js";

// Fails if the README does not describe an exported function.
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const missing = Object.keys(exported).filter((name) => !readme.includes(`\`${name}`));
for (const name of missing) console.error(`Error: README.md does not describe ${name}, which src/index.js exports`);
process.exitCode = missing.length === 0 ? 0 : 1;
