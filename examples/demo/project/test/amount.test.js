import assert from "node:assert/strict";
import test from "node:test";
import { formatAmount, parseAmount } from "../src/amount.js";

test("reads euros and cents", () => {
  assert.equal(parseAmount("12.50"), 1250);
  assert.equal(parseAmount("7"), 700);
  assert.equal(parseAmount("0.5"), 50);
});

test("reads amounts that binary fractions cannot hold", () => {
  assert.equal(parseAmount("19.99"), 1999);
  assert.equal(parseAmount("4.35"), 435);
});

test("reads thousands and a minus sign", () => {
  assert.equal(parseAmount("1,234,567.00"), 123456700);
  assert.equal(parseAmount("-0.05"), -5);
});

test("refuses what is not an amount", () => {
  assert.throws(() => parseAmount("12.345"), RangeError);
  assert.throws(() => parseAmount("twelve"), RangeError);
  assert.throws(() => parseAmount(""), RangeError);
});

test("writes thousands, two places and a minus sign", () => {
  assert.equal(formatAmount(123456700), "1,234,567.00");
  assert.equal(formatAmount(99900), "999.00");
  assert.equal(formatAmount(-5), "-0.05");
});
