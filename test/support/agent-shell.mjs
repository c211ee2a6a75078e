// Stands for an agent: it runs a command and ends with it.
import { spawnSync } from "node:child_process";

const [program, ...args] = process.argv.slice(2);
process.exitCode = spawnSync(program, args, { stdio: "inherit" }).status ?? 1;
