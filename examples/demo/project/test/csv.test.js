import assert from "node:assert/strict";
import test from "node:test";
import { readRows } from "../src/csv.js";

test("splits rows and fields", () => {
  assert.deepEqual(readRows("a,b\nc,d\n"), [
    ["a", "b"],
    ["c", "d"],
  ]);
});

test("keeps empty fields", () => {
  assert.deepEqual(readRows("a,,b,"), [["a", "", "b", ""]]);
});

test("reads rows that end as on Windows", () => {
  assert.deepEqual(readRows("a,b\r\nc,d\r\n"), [
    ["a", "b"],
    ["c", "d"],
  ]);
});

test("keeps a comma in a quoted field", () => {
  assert.equal(readRows('"Paper, A4",10')[0][0], "Paper, A4");
});

test("reads doubled quotes", () => {
  assert.equal(readRows('"24"" wide",1')[0][0], '24" wide');
});
