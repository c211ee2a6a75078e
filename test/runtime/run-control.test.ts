import { describe, expect, it } from "vitest";
import type { PersonEvent } from "../../src/model/person-event.ts";
import { createRunControl } from "../../src/runtime/run-control.ts";

describe("createRunControl", () => {
  it("gives what was said and by whom, oldest first, and each word once", () => {
    const control = createRunControl();
    expect(control.take()).toEqual([]);
    control.send({ type: "pause" });
    const by = { kind: "terminal", terminal: "/dev/pts/1", process: "bash", pid: 4711 } as const;
    control.send({ type: "guidance.given", text: "Look there" }, by);
    expect(control.take()).toEqual([
      { event: { type: "pause" } },
      { event: { type: "guidance.given", text: "Look there" }, by },
    ]);
    expect(control.take()).toEqual([]);
  });

  it("refuses what no person can say", () => {
    const control = createRunControl();
    for (const event of [{ type: "pausee" }, { type: "guidance.given", text: "x".repeat(4001) }]) {
      const send = () => control.send(event as PersonEvent);
      expect(send).toThrow(expect.objectContaining({ blame: "input", code: "event-malformed" }));
    }
    expect(control.take()).toEqual([]);
  });

  it("wakes who waits for a word, at once when one is there already", async () => {
    const control = createRunControl();
    const woken: string[] = [];
    const waits = control.next().then(() => woken.push("later"));
    await Promise.resolve();
    expect(woken).toEqual([]);
    control.send({ type: "resume" });
    await waits;
    await control.next();
    expect(woken).toEqual(["later"]);
    expect(control.take()).toEqual([{ event: { type: "resume" } }]);
  });

  it("wakes only the one who has asked last", async () => {
    const control = createRunControl();
    const woken: string[] = [];
    void control.next().then(() => woken.push("first"));
    const second = control.next().then(() => woken.push("second"));
    control.send({ type: "cancel" });
    await second;
    expect(woken).toEqual(["second"]);
  });

  it("refuses what is no word", () => {
    const control = createRunControl();
    for (const word of [
      { type: "stop" },
      { type: "decision.made" },
      { type: "guidance.given", text: "x".repeat(4001) },
    ]) {
      expect(() => control.send(word as PersonEvent)).toThrow();
    }
    expect(control.take()).toEqual([]);
  });
});
