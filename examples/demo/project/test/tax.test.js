import assert from "node:assert/strict";
import test from "node:test";
import { taxByRate } from "../src/tax.js";

test("keeps the rates apart", () => {
  const lines = [
    { net: 10000, rate: 19 },
    { net: 1000, rate: 7 },
  ];
  assert.deepEqual(taxByRate(lines), { 7: 70, 19: 1900 });
});

test("rounds once for each rate", () => {
  const line = { net: 3, rate: 19 };
  assert.deepEqual(taxByRate([line, line, line]), { 19: 2 });
});

test("has no tax without lines", () => {
  assert.deepEqual(taxByRate([]), {});
});
