import { cpus, loadavg } from "node:os";
import { childrenCpuMs } from "./children-cpu.mjs";

const quiet = 0.2;

export function watchMachine() {
  const start = used();
  return {
    name: `Node ${process.version.slice(1)}, ${cpus().length} × ${cpus()[0]?.model}`,
    tellOthers: () => {
      const load = `load ${loadavg()[0]?.toFixed(1)}`;
      if (process.platform !== "linux") return `${load}.\n`;
      const end = used();
      const busy = (end.all - start.all - (end.own - start.own)) / (end.at - start.at);
      const others = Math.min(Math.max(0, busy), cpus().length);
      const verdict = others < quiet ? "quiet" : "not quiet: times are too high, ratios are valid";
      return `Other programs kept ${others.toFixed(2)} cores busy meanwhile (${load}): ${verdict}.\n`;
    },
  };
}

function used() {
  const { user, system } = process.cpuUsage();
  const times = cpus().flatMap(({ times: { idle: _, ...busy } }) => Object.values(busy));
  return {
    at: performance.now(),
    all: times.reduce((sum, ms) => sum + ms, 0),
    own: (user + system) / 1000 + childrenCpuMs(),
  };
}
