// Tests fixpoint's host contract on a real server of Restate: `node contract.mjs [part of a name]`
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { hostContract } from "fixpoint/testing/contracts";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const root = mkdtempSync(join(tmpdir(), "fixpoint-restate-"));
const [ingress, admin, fabric, port] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
const server = spawn(here("node_modules/.bin/restate-server"), ["--no-logo", "--base-dir", join(root, "server")], {
  env: {
    ...process.env,
    ...{ RESTATE_LISTEN_MODE: "tcp", RESTATE_BIND_IP: "127.0.0.1", RESTATE_BIND_PORT: String(fabric) },
    RESTATE_INGRESS__BIND_PORT: String(ingress),
    RESTATE_ADMIN__BIND_PORT: String(admin),
  },
  stdio: ["ignore", "ignore", "ignore"],
});
let isDeployed = false;
let isOver = false;
let endpoint = null;
const serve = async () => {
  while (!isOver) {
    endpoint = spawn(process.execPath, [here("endpoint.mjs"), String(port)], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    await once(endpoint, "exit");
    if (!isDeployed) return;
  }
};
const serving = serve();

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port: found } = probe.address();
  probe.close();
  return found;
}

async function post(address, body) {
  const response = await fetch(address, {
    ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
  });
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
  return await response.json();
}

const check = `#!/bin/sh
run=0
while [ -e "ran-$1-$run" ]; do run=$((run + 1)); done
: > "ran-$1-$run"
[ ! -e "$1-$run" ] || . "./$1-$run"
`;

let count = 0;
const host = async (task) => {
  const name = `run-${++count}`;
  const folder = join(root, name, "spec");
  mkdirSync(join(folder, ".fixpoint"), { recursive: true });
  const read = (path) => readFileSync(join(folder, path), "utf8");
  const write = (path, text, mode) => writeFileSync(join(folder, path), text, { mode });
  write("tasks.md", task.tasks);
  write(".progress.md", "");
  write("check", check, 0o755);
  for (const path of ["delegated", "deaths"]) write(path, "");
  for (const [command, results] of Object.entries(task.checks ?? {}))
    results.forEach(({ exitCode, stdout }, at) => {
      write(`${command}-${at}`, `cat <<'END'\n${stdout}END\nexit ${exitCode}\n`);
    });
  const workflow = task.isKilled === true ? "killed" : "fixpoint";
  const outcome = await post(`http://127.0.0.1:${ingress}/${workflow}/${name}/run`, { task, folder });
  const linesOf = (path) =>
    read(path)
      .split("\n")
      .filter((line) => line !== "");
  const delegated = linesOf("delegated").map((line) => JSON.parse(line));
  return {
    outcome,
    tasks: read("tasks.md"),
    progress: read(".progress.md"),
    delegated,
    kills: linesOf("deaths").length,
  };
};

try {
  for (;;) {
    try {
      await post(`http://127.0.0.1:${admin}/deployments`, { uri: `http://127.0.0.1:${port}`, use_http_11: false });
      isDeployed = true;
      break;
    } catch {
      if (endpoint.exitCode !== null || endpoint.signalCode !== null)
        throw new Error("endpoint.mjs exited before it was deployed");
      await setTimeout(250);
    }
  }
  const checks = hostContract.filter(({ name }) => name.includes(process.argv[2] ?? ""));
  let passed = 0;
  for (const { name, run } of checks) {
    const begun = performance.now();
    const error = await run(host).then(
      () => null,
      (thrown) => thrown,
    );
    if (error === null) passed += 1;
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    process.stdout.write(`${error === null ? "passed" : "FAILED"}  ${seconds} s  ${name}\n`);
    if (error !== null) process.stdout.write(`${error.stack}\n`);
  }
  process.stdout.write(`${passed} of ${checks.length} checks passed\n`);
  process.exitCode = passed === checks.length ? 0 : 1;
} finally {
  isOver = true;
  endpoint?.kill("SIGKILL");
  await serving;
  server.kill("SIGTERM");
  await once(server, "exit");
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}
