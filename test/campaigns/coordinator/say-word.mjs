// Sends a message to a coordinator, because no command sends `resume` to a run in progress. Usage:
//   node say-word.mjs <build> <spec> pause|resume
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [program, spec, word] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(join(program, "src", path)).href);
const { sendToRun } = await load("hosts/node/send-message.js");
const { findSpec } = await load("hosts/node/find-spec.js");
const { addressOf } = await load("model/command-line.js");
const by = { terminal: null, process: "sh", pid: process.pid };
await sendToRun(
  findSpec(spec, spec),
  { word },
  { by, address: addressOf("spec"), signal: AbortSignal.timeout(10_000) },
);
