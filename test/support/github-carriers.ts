import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Carrier, fetchCarrier, ghCarrier } from "../../src/adapters/forge/carrier.ts";
import { github } from "../../src/adapters/forge/github.ts";
import { findCommand } from "../../src/adapters/processes/shell-command.ts";
import type { Forge } from "../../src/ports/forge.ts";
import { type ForgeScript, type ForgeWorld, forgeWorld } from "../../src/testing/forge-world.ts";
import { type FakeGithub, fakeGithub } from "./fake-github.ts";
import { temporaryFolder } from "./folder.ts";

interface Reached {
  readonly forge: Forge;
  readonly carrier: Carrier;
  readonly world: ForgeWorld;
  readonly server: FakeGithub;
}
type Reach = (script: ForgeScript) => Promise<Reached>;

export const token = "token-of-the-test";

const reachBy =
  (open: (world: ForgeWorld) => Promise<{ readonly server: FakeGithub; readonly carrier: Carrier }>): Reach =>
  async (script) => {
    const world = forgeWorld(script);
    const { server, carrier } = await open(world);
    onTestFinished(() => server.close());
    const redact = (text: string): string => text.replaceAll("hunter2", "[redacted]");
    const now = (): number => 1_000_000;
    const sleep = async (): Promise<void> => {};
    const forge = github({ repository: { owner: "ann", name: "shop" }, carrier, redact, now, sleep });
    return { forge, carrier, world, server };
  };

const byFetch = reachBy(async (world) => {
  const server = await fakeGithub(world);
  return { server, carrier: fetchCarrier({ root: server.address, token }) };
});

/** `gh` uses plain HTTP if its configuration names a socket. */
const byGh = reachBy(async (world) => {
  const folder = temporaryFolder();
  const socket = join(folder, "s");
  const config = join(folder, "gh");
  mkdirSync(config);
  writeFileSync(join(config, "config.yml"), `http_unix_socket: ${socket}\n`);
  const env = { PATH: process.env["PATH"], HOME: folder, GH_CONFIG_DIR: config, GH_TOKEN: token };
  return { server: await fakeGithub(world, socket), carrier: ghCarrier({ cwd: folder, env }) };
});

const gh = findCommand("gh", "/");

export const ways = [
  { way: "fetch", missing: false, reach: byFetch },
  { way: gh === null ? "gh (skipped: there is no gh on this machine)" : "gh", missing: gh === null, reach: byGh },
] as const;
