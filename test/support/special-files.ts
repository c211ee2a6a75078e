import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";

export const specialFiles: readonly (readonly [found: string, make: (path: string) => void])[] = [
  ["a symbolic link", (path) => symlinkSync("/dev/zero", path)],
  ["a named pipe", (path) => execFileSync("mkfifo", [path])],
  ["a folder", (path) => mkdirSync(path, { recursive: true })],
  ["a socket", makeSocket],
];

function makeSocket(path: string): void {
  const program = `require("node:net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))`;
  try {
    execFileSync(process.execPath, ["-e", program, path], { stdio: "ignore" });
  } catch {
    // The killed program leaves its socket behind, as intended.
  }
}
