import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

export const howToGetIt = "Postgres is not installed here: apt-get install postgresql";

export function postgresFolder() {
  const packaged = "/usr/lib/postgresql";
  const versions = existsSync(packaged) ? readdirSync(packaged).sort((one, other) => Number(other) - Number(one)) : [];
  const folders = [...versions.map((version) => join(packaged, version, "bin")), ...process.env.PATH.split(delimiter)];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "pg_ctl")));
}

/** @returns Undefined if Postgres is not installed. */
export async function privatePostgres() {
  const programs = postgresFolder();
  if (programs === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-postgres-"));
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  // Postgres refuses to run as root.
  const [uid, gid] = process.getuid?.() === 0 ? idsOf("postgres") : [];
  if (uid !== undefined) for (const each of [folder, data]) chownSync(each, uid, gid);
  const run = (program, ...args) => {
    const how = { encoding: "utf8", cwd: folder, uid, gid, stdio: ["ignore", "pipe", "pipe"] };
    const { status, stdout, stderr, error } = spawnSync(join(programs, program), args, how);
    if (status !== 0) throw new Error(`Cannot run ${program}: ${error?.message ?? (stderr.trim() || stdout.trim())}`);
  };
  const port = await freePort();
  run("initdb", "-D", data, "-U", "fixpoint", "-A", "trust", "-E", "UTF8", "--no-sync");
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=200 -c fsync=off`;
  const control = (...args) => run("pg_ctl", "-D", data, "-l", join(folder, "log"), "-w", "-t", "60", ...args);
  control("-o", settings, "start");
  return {
    url: `postgres://fixpoint@127.0.0.1:${port}/postgres`,
    folder,
    crash: () => control("-m", "immediate", "-o", settings, "restart"),
    remove: () => {
      control("-m", "immediate", "stop");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function idsOf(user) {
  return ["-u", "-g"].map((which) => Number(spawnSync("id", [which, user], { encoding: "utf8" }).stdout));
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
