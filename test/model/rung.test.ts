import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPolicy } from "../../src/model/policy.ts";
import { changeLadder, type LadderChoices, type Rung, renderLadderChange } from "../../src/model/rung.ts";
import { prop } from "../support/prop.ts";

const top = ["pivot", "research", "checkpoint"] as const satisfies readonly Rung[];

describe("changeLadder", () => {
  it.each<[readonly Rung[], LadderChoices, readonly Rung[]]>([
    [["retry"], {}, ["retry"]],
    [["retry"], { recoveryMode: false, repair: false, escalation: false }, ["retry"]],
    [["retry"], { recoveryMode: true }, ["fix"]],
    [["retry"], { repair: true }, ["repair"]],
    [["retry"], { escalation: true }, ["retry", ...top]],
    [["retry"], { recoveryMode: true, repair: true, escalation: true }, ["fix", "repair", ...top]],
    [["fix"], { repair: true }, ["fix", "repair"]],
    [["fix"], { escalation: true }, ["fix", ...top]],
    [["repair"], { recoveryMode: true }, ["fix", "repair"]],
    [["retry", ...top], { repair: true }, ["repair", ...top]],
    [["fix", "repair", ...top], { recoveryMode: false }, ["repair", ...top]],
    [["fix", "repair", ...top], { repair: false }, ["fix", ...top]],
    [["fix", "repair", ...top], { escalation: false }, ["fix", "repair"]],
    [["fix", ...top], { recoveryMode: false }, ["retry", ...top]],
    [["fix", "retry"], { recoveryMode: true, repair: true }, ["fix", "retry", "repair"]],
    [["retry", "fix"], { recoveryMode: false }, ["retry"]],
    [["fix", "checkpoint"], {}, ["fix", "checkpoint"]],
    [["fix", "checkpoint"], { escalation: true }, ["fix", ...top]],
    [["checkpoint"], { repair: false }, ["checkpoint"]],
    [["checkpoint"], { escalation: false }, ["retry"]],
  ])("changes %j by %j to %j", (ladder, choices, changed) => {
    expect(changeLadder(ladder, choices)).toEqual(changed);
  });

  const choice = fc.option(fc.boolean(), { nil: undefined });
  const choices = fc.record({ recoveryMode: choice, repair: choice, escalation: choice });
  const ladders = fc
    .tuple(fc.shuffledSubarray<Rung>(["retry", "fix", "repair"]), fc.subarray<Rung>([...top]))
    .map((parts) => parts.flat())
    .filter(({ length }) => length > 0);

  prop("returns a valid ladder, and the same again", [ladders, choices], (ladder, made) => {
    const recovery = changeLadder(ladder, made);
    expect(readPolicy({ recovery }).recovery).toEqual(recovery);
    expect(changeLadder(recovery, made)).toEqual(recovery);
  });
});

describe("renderLadderChange", () => {
  it.each<[readonly Rung[], readonly Rung[], string | null]>([
    [["fix"], ["fix"], null],
    [["fix"], ["fix", "repair"], "The recovery of this run is fix, repair: repair added"],
    [["fix", "repair"], ["fix"], "The recovery of this run is fix: repair removed"],
    [["retry"], ["fix"], "The recovery of this run is fix: fix added, retry removed"],
  ])("renders from %j to %j: %s", (before, after, told) => {
    expect(renderLadderChange(before, after)).toBe(told);
  });
});
