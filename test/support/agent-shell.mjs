// Imitates an agent: executes a command and exits with its exit code.
import { spawnSync } from "node:child_process";

const [program, ...args] = process.argv.slice(2);
process.exitCode = spawnSync(program, args, { stdio: "inherit" }).status ?? 1;
