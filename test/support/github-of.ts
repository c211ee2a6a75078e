import { onTestFinished } from "vitest";
import { type Carrier, type ForgeCall, type ForgeReply, fetchCarrier } from "../../src/adapters/forge/carrier.ts";
import { github } from "../../src/adapters/forge/github.ts";
import { redactSecrets } from "../../src/adapters/processes/redact-secrets.ts";
import type { Forge } from "../../src/ports/forge.ts";
import type { ForgeWorld } from "../../src/testing/forge-world.ts";
import { fakeGithub } from "./fake-github.ts";
import { token } from "./github-carriers.ts";
import type { HeldTime } from "./held-time.ts";

export type Fault = Awaited<ReturnType<Carrier>>;
export type Meddle = (call: ForgeCall, reply: () => Promise<Fault>) => Promise<Fault> | undefined;

export const githubOf =
  (requests: ForgeCall[], meddle: Meddle = () => undefined) =>
  (world: ForgeWorld, _: Forge, time: HeldTime): Forge => {
    const server = fakeGithub(world);
    onTestFinished(async () => (await server).close());
    const carrier: Carrier = async (call, signal) => {
      requests.push(call);
      const reply = async () => fetchCarrier({ root: (await server).address, token })(call, signal);
      return meddle(call, reply) ?? reply();
    };
    const sleep = async (): Promise<void> => {};
    const repository = { owner: "ann", name: "shop" };
    return github({ repository, carrier, redact: redactSecrets({}), now: time.now, sleep });
  };

export const replyOf = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): ForgeReply => ({
  ...{ kind: "reply", status, headers, body },
});
