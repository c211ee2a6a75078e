import { describe, it } from "vitest";
import { hostContract } from "../../src/testing/host-contract.ts";
import { sessionHost } from "./hosts/session-host.ts";

describe("a session, step by step as a host", () => {
  it.each(hostContract.map(({ name, run }) => [name, run] as const))("%s", (_name, run) => run(sessionHost));
});
