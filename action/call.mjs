import { spawn } from "node:child_process";
import { constants } from "node:os";

/** Maximum number of characters of standard error to keep. */
const most = 32_000;
let isStopped = false;
let atWork = null;

// A cancelled job sends SIGINT, then SIGTERM. Forward only the first: a second one makes fixpoint exit while it writes.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (!isStopped) atWork?.kill("SIGINT");
    isStopped = true;
  });
}

/**
 * Call a program without a shell.
 *
 * @param shown Whether both streams are copied to standard output; standard output is then not returned.
 * @param stoppable Whether a signal stops the program. After a signal it is not even started: the exit code is 130.
 */
export function call(file, args, { cwd, env, shown = false, stoppable = false }) {
  if (stoppable && isStopped) return Promise.resolve({ exitCode: 130, out: "", err: "" });
  return new Promise((done) => {
    const child = spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    if (stoppable) atWork = child;
    const kept = { out: "", err: "" };
    for (const [name, stream] of [
      ["out", child.stdout],
      ["err", child.stderr],
    ]) {
      stream.setEncoding("utf8").on("data", (text) => {
        if (shown) process.stdout.write(text);
        if (name === "err") kept.err = (kept.err + text).slice(-most);
        else if (!shown) kept.out += text;
      });
    }
    const end = (exitCode) => {
      atWork = null;
      done({ exitCode, ...kept });
    };
    child.on("error", ({ message }) => {
      kept.err = `Cannot call ${file}: ${message}`;
      end(2);
    });
    child.on("close", (code, signal) => end(code ?? 128 + constants.signals[signal]));
  });
}
