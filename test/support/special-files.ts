import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";

/** Ways to replace a regular file by a special file, each with the name of that kind in messages. */
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
    // The program was killed, so its socket stays.
  }
}
