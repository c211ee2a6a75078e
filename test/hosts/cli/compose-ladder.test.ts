import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { composeLadder } from "../../../src/hosts/cli/compose-ladder.ts";
import { completePolicy } from "../../../src/model/policy.ts";
import { prop } from "../../support/prop.ts";

describe("composeLadder", () => {
  it.each([
    [{}, undefined],
    [{ recoveryMode: false }, ["retry"]],
    [{ recoveryMode: true }, ["fix"]],
    [{ repair: true }, ["repair"]],
    [{ escalation: true }, ["retry", "pivot", "research", "checkpoint"]],
    [{ recoveryMode: true, repair: true }, ["fix", "repair"]],
    [{ repair: true, escalation: true }, ["repair", "pivot", "research", "checkpoint"]],
    [{ recoveryMode: true, repair: true, escalation: true }, ["fix", "repair", "pivot", "research", "checkpoint"]],
  ])("makes of %j %j", (choices, ladder) => {
    expect(composeLadder(choices)).toEqual(ladder);
  });
});

describe("composeLadder, for every choice", () => {
  const choice = fc.option(fc.boolean(), { nil: undefined });

  prop("gives a ladder that a policy takes", [choice, choice, choice], (recoveryMode, repair, escalation) => {
    const recovery = composeLadder({ recoveryMode, repair, escalation });
    expect(completePolicy({ recovery }).recovery).toEqual(recovery ?? ["retry"]);
  });
});
