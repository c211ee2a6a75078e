// Sends a message to the coordinator of a spec, since no command sends `resume` only to a run under way. Usage: node
// say-word.mjs <build> <spec> pause|resume
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
