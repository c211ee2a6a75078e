import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { killAtExit } from "../../../src/adapters/processes/end-processes.ts";

const listeners = () => process.listeners("exit") as (() => void)[];

function begin() {
  const mark = { TEST_CALL: String(Math.random()) };
  const child = spawn("sleep", ["60"], { env: { ...process.env, ...mark }, detached: true, stdio: "ignore" });
  return { child, end: once(child, "exit"), spare: killAtExit({ mark }) };
}

describe("killAtExit", () => {
  it("kills the calls that were not spared when the program ends, with one listener for all", async () => {
    const before = listeners();
    const calls = [begin(), begin(), begin()];
    const added = () => listeners().filter((listener) => !before.includes(listener));
    expect(added()).toHaveLength(1);
    calls[2]?.spare();
    expect(added()).toHaveLength(1);
    for (const listener of added()) listener();
    for (const { end } of calls.slice(0, 2)) expect(await end).toEqual([null, "SIGKILL"]);
    expect(calls[2]?.child.exitCode ?? calls[2]?.child.signalCode).toBeNull();
    calls[2]?.child.kill("SIGTERM");
    expect(await calls[2]?.end).toEqual([null, "SIGTERM"]);
    for (const { spare } of calls) spare();
    expect(listeners()).toEqual(before);
  });
});
