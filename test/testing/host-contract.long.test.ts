import { afterAll, describe, it } from "vitest";
import { howToGetIt, privatePostgres } from "../../examples/demo/fleet/postgres.mjs";
import type { Host, HostSkill } from "../../src/testing/host.ts";
import { hostContract } from "../../src/testing/host-contract.ts";
import { someCases } from "../support/some-cases.ts";
import { filesHost } from "./hosts/files-host.ts";
import { fleetHost } from "./hosts/fleet-host.ts";
import { nativeHost } from "./hosts/native-host.ts";
import { processHost } from "./hosts/process-host.ts";

const hosts: readonly (readonly [name: string, host: Host, skills: readonly HostSkill[]])[] = [
  ["a native actor", nativeHost, ["is cancelled"]],
  ["a process for each effect", processHost, ["is killed"]],
  ["a run on files", filesHost, ["hears people", "is cancelled"]],
];

describe.each(hosts)("%s as a host", (_, host, skills) => {
  const skilled = hostContract.filter(({ needs }) => needs === undefined || skills.includes(needs));
  const due = host === processHost ? someCases(skilled, 3, 1) : skilled;
  it.each(due.map(({ name, run }) => [name, run] as const))("%s", (_name, run) => run(host));
});

const database = await privatePostgres();
if (database === undefined) process.stderr.write(`A fleet is not tried. ${howToGetIt}\n`);

describe.skipIf(database === undefined)("a fleet on Postgres as a host", () => {
  afterAll(() => database?.remove());
  it.each(hostContract.map(({ name, run }) => [name, run] as const))("%s", (_name, run) =>
    run(fleetHost(database?.url ?? "")),
  );
});
