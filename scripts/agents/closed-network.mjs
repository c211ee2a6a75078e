import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";

const mark = "FIXPOINT_AGENTS_CLOSED";

export function isClosed() {
  const addresses = Object.values(networkInterfaces()).flat();
  const routes = readFileSync("/proc/net/route", "utf8").trim().split("\n").slice(1);
  return addresses.length > 0 && addresses.every(({ internal }) => internal) && routes.length === 0;
}

/**
 * Starts this program again with only the loopback as network.
 *
 * @throws {Error} If that is impossible, because a tool must never reach the real network.
 */
export function runClosed() {
  const way = process.getuid() === 0 ? ["-n"] : ["-rn"];
  const inside = ["sh", "-c", 'ip link set lo up && exec "$@"', "sh", process.execPath, ...process.argv.slice(1)];
  if (process.env[mark] === undefined && spawnSync("unshare", [...way, "sh", "-c", "ip link set lo up"]).status === 0) {
    const env = { ...process.env, [mark]: "1" };
    return spawnSync("unshare", [...way, ...inside], { stdio: "inherit", env }).status ?? 1;
  }
  throw new Error(
    "Cannot cut off the network, and tools are not started with network access. This needs Linux, `unshare` of util-linux, " +
      "`ip` of iproute2, and root or the right to user namespaces (try: unshare -rn ip link set lo up)",
  );
}
