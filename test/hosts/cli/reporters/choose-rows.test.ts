import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseRows } from "../../../../src/hosts/cli/reporters/choose-rows.ts";
import { prop } from "../../../support/prop.ts";

const linesOf = (rows: readonly number[]): number =>
  rows.length + rows.filter((row, place) => place > 0 && row !== (rows[place - 1] ?? 0) + 1).length;

describe("chooseRows", () => {
  it.each([
    ["around the one that is up", 40, [20], 4, [18, 19, 20, 21]],
    ["at the beginning", 40, [0], 3, [0, 1, 2]],
    ["at the end", 40, [39], 3, [37, 38, 39]],
    ["around several", 40, [20, 10], 7, [9, 10, 11, 19, 20, 21]],
    ["without the farthest, for want of room", 40, [20, 0, 22], 4, [19, 20, 21, 22]],
    ["all of a short plan", 3, [1], 9, [0, 1, 2]],
  ])("shows rows %s", (_, count, wanted, room, rows) => {
    expect(chooseRows(count, wanted, room)).toEqual(rows);
  });

  const wanted = fc.array(fc.nat(60), { minLength: 1, maxLength: 8 });

  prop("keeps to its room and shows the row that is up", [wanted, fc.integer({ min: 1, max: 30 })], (rows, room) => {
    const shown = chooseRows(61, rows, room);
    expect(shown).toContain(rows[0]);
    expect(linesOf(shown)).toBeLessThanOrEqual(room);
    expect([...new Set(shown)].sort((one, other) => one - other)).toEqual(shown);
  });

  prop("shows every wanted row when there is room for each and a gap", [wanted], (rows) => {
    expect(chooseRows(61, rows, 2 * rows.length)).toEqual(expect.arrayContaining(rows));
  });
});
