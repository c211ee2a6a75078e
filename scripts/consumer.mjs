// Installs the packed package into an empty project and uses it the ways a user would.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const dir = mkdtempSync(join(tmpdir(), "fixpoint-consumer-"));
const run = (file, args, cwd = dir) =>
  execFileSync(file, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
try {
  const [{ filename }] = JSON.parse(
    run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", dir], process.cwd()),
  );
  writeFileSync(join(dir, "package.json"), '{ "private": true }');
  run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", join(dir, filename), "xstate", "fast-check"]);
  const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
  const entries = Object.keys(exports)
    .filter((door) => !door.endsWith(".json"))
    .map((door) => door.slice(1));
  for (const entry of entries) {
    run("node", ["--input-type=module", "-e", `await import("fixpoint${entry}")`]);
    run("node", ["-e", `require("fixpoint${entry}")`]);
  }
  run("npx", ["--no-install", "fixpoint", "--version"]);
  process.stdout.write(`${entries.length} entries import and require; the command starts\n`);
} finally {
  rmSync(dir, { recursive: true, force: true });
}
