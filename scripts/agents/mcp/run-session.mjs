import { execFile, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { workPrompt } from "../../../dist/src/hosts/node/setup/agent-forms.js";
import { openModelService } from "../model-service/open-model-service.mjs";
import { workOff } from "../model-service/work-off.mjs";
import { environmentOf, layOut, processesOf, tasksPath, writeAll } from "../place.mjs";
import { setUp } from "../setups.mjs";

const longestSeconds = 480;
const reminder = /waits for its report/;

export async function runSession({ tool, kase, folder, program, preset, signal }) {
  const command = `exec "${process.execPath}" "${program}" "$@"\n`;
  const place = layOut(folder, { ...kase.files, [tasksPath]: kase.plan, "fixpoint.sh": command });
  const transcript = [];
  const speak = (conversation) => {
    const said = workOff(conversation);
    const results = conversation.turns.filter(({ role }) => role === "tool").map(({ text }) => text);
    const reminders = conversation.turns.filter(({ role, text }) => role === "user" && reminder.test(text)).length;
    if (conversation.tools.length > 0) transcript.push({ results, reminders, said });
    return said;
  };
  const service = await openModelService({ folder: place.workspace, speak });
  try {
    const { workspace } = place;
    const setup = setUp(tool.name, { url: service.url, isTrusted: true, workspace });
    writeAll(place.home, setup.files);
    const env = environmentOf(tool, place);
    const fixpoint = (...words) => promisify(execFile)(process.execPath, [program, ...words], { cwd: workspace, env });
    if (kase.isPasted === true) {
      const { stdout } = await fixpoint("install", tool.name, "demo", "--print");
      await promisify(execFile)("sh", ["-c", stdout], { cwd: workspace, env });
    } else await fixpoint("install", tool.name, "demo");
    await fixpoint("next", "demo", "--yes", ...(kase.options ?? []));
    const began = Date.now();
    const ended = await work({ preset, place, env: { ...env, ...setup.env }, signal });
    const seconds = Math.round((Date.now() - began) / 1000);
    const { stdout } = await fixpoint("status", "demo", "--json");
    const left = await processesOf(place.home);
    return { ...ended, transcript, seconds, calls: service.calls, left, status: JSON.parse(stdout), place };
  } finally {
    service.close();
  }
}

async function work({ preset: { command, rights }, place, env, signal }) {
  const [name, ...words] = command.split(" ");
  const child = spawn(name, [...words, ...rights.full.args], {
    ...{ cwd: place.workspace, env: { ...env, ...rights.full.env }, detached: true },
    stdio: ["pipe", "pipe", "pipe"],
  });
  for (const stream of ["stdout", "stderr"]) child[stream].pipe(createWriteStream(join(place.folder, stream)));
  child.stdin.on("error", () => {}).end(workPrompt);
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    process.kill(-child.pid, "SIGKILL");
  };
  const limit = setTimeout(stop, longestSeconds * 1000);
  signal.addEventListener("abort", stop);
  const exitCode = await new Promise((ended) => child.once("close", ended));
  clearTimeout(limit);
  signal.removeEventListener("abort", stop);
  return { exitCode, isStopped };
}
