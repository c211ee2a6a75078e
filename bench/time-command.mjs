import { spawn } from "node:child_process";
import { childrenCpuMs } from "./children-cpu.mjs";

/**
 * No other child process may end meanwhile: its CPU time would be included.
 *
 * @param until Stops the clock when the output contains this text.
 * @param mayFail Whether any exit code is accepted after `until`.
 */
export function timeCommand(
  command,
  args,
  { cwd = process.cwd(), env = process.env, until = "", mayFail = false } = {},
) {
  return new Promise((resolve, reject) => {
    const cpu = childrenCpuMs();
    const start = performance.now();
    let printed = "";
    let wallMs;
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
    child.stdout.setEncoding("utf8").on("data", (text) => {
      if (until === "" || wallMs !== undefined) return;
      printed += text;
      if (printed.includes(until)) wallMs = performance.now() - start;
    });
    child.on("error", reject).on("close", (code) => {
      if (code === 0 || (mayFail && wallMs !== undefined))
        resolve({ wallMs: wallMs ?? performance.now() - start, cpuMs: childrenCpuMs() - cpu });
      else reject(new Error(`${command} ${args.join(" ")} ended with ${code}`));
    });
  });
}
