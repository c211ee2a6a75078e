import { expect, it } from "vitest";
import type { PersonAnswer, PersonQuestion } from "../../src/ports/person.ts";
import { personPort } from "../../src/runtime/person-port.ts";
import type { StartOptions } from "../../src/runtime/start.ts";
import type { Past } from "../../src/start/past.ts";

const never = new AbortController().signal;
const question = (part: Partial<PersonQuestion> = {}): PersonQuestion => ({
  ...{ task: "1.1", current: "1.1", about: "repair", text: "How?", ...part },
});
const asked = { root: "1.1", current: "1.1" } as NonNullable<Past["asked"]>;

/** Who answers at a start that is told this, behind one that has ended with a question about 1.1. */
function personOf(options: StartOptions, { past = { asked } as Partial<Past>, midTurn = true } = {}) {
  const origin = { past: { asked: null, skipped: null, ended: null, ...past } } as never;
  const port = personPort({ options, origin }, midTurn);
  return (part: Partial<PersonQuestion> = {}) => port(question(part), never);
}
const retry: PersonAnswer = { kind: "decided", decision: "retry" };
const stop = async (): Promise<PersonAnswer> => ({ kind: "decided", decision: "stop" });

it("what a person has said to a start answers the question that ended the one before, once", async () => {
  const ask = personOf({ decision: "retry", decide: stop });
  expect(await ask({ task: "1.2", current: "1.2" })).toEqual({ kind: "decided", decision: "stop" });
  expect(await ask()).toEqual(retry);
  expect(await ask()).toEqual({ kind: "decided", decision: "stop" });
  expect(await personOf({ guidance: "There" })()).toEqual({ kind: "guided", text: "There" });
});

it("a word that leaves something out is one about what was asked about then", async () => {
  const ask = personOf({ decision: "skip" });
  expect(await ask({ current: "1.1~1" })).toBe(null);
  expect(await ask()).toEqual({ kind: "decided", decision: "skip" });
});

it("another question is put to whoever can be asked, and to nobody else", async () => {
  const seen: unknown[] = [];
  const decide: StartOptions["decide"] = async (...given) => {
    seen.push(...given);
    return retry;
  };
  expect(await personOf({ decide }, { past: {} })()).toEqual(retry);
  expect(seen).toEqual([question(), never]);
  expect(await personOf({})()).toBe(null);
  expect(await personOf({ decide: async () => null })()).toBe(null);
});

it("where the question is not open any more, only what ends the work answers it", async () => {
  expect(await personOf({ decision: "retry" }, { midTurn: false })()).toBe(null);
  expect(await personOf({ guidance: "There" }, { midTurn: false })()).toBe(null);
  expect(await personOf({ decision: "stop" }, { midTurn: false })()).toEqual(await stop());
});

it("one question is put at a time", async () => {
  const order: string[] = [];
  const decide: StartOptions["decide"] = async ({ current }) => {
    order.push(`asked ${current}`);
    await new Promise(setImmediate);
    order.push(`answered ${current}`);
    return null;
  };
  const ask = personOf({ decide }, { past: {} });
  await Promise.all([ask({ current: "a" }), ask({ current: "b" })]);
  expect(order).toEqual(["asked a", "answered a", "asked b", "answered b"]);
});
