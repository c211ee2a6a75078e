import assert from "node:assert/strict";
import test from "node:test";
import { lineNet } from "../src/line.js";

test("multiplies quantity and price", () => {
  assert.equal(lineNet({ quantity: 3, price: 250 }), 750);
});

test("takes off a percentage, rounded to the cent", () => {
  assert.equal(lineNet({ quantity: 2, price: 2500, discount: "10%" }), 4500);
  assert.equal(lineNet({ quantity: 1, price: 999, discount: "12.5%" }), 874);
});

test("takes off an amount", () => {
  assert.equal(lineNet({ quantity: 1, price: 2500, discount: "2.50" }), 2250);
});

test("never goes below zero", () => {
  assert.equal(lineNet({ quantity: 1, price: 200, discount: "2.50" }), 0);
});
