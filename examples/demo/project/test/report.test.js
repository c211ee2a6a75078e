import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { renderInvoice } from "../src/index.js";

test("prints the lines, the tax of each rate and the total", () => {
  const csv = readFileSync(new URL("../data/march.csv", import.meta.url), "utf8");
  assert.equal(
    renderInvoice(csv),
    [
      "Desk lamp                       45.00",
      'Monitor 24" wide             1,299.94',
      "Paper, A4                       44.90",
      "Net                          1,389.84",
      "Tax 7%                           3.14",
      "Tax 19%                        255.54",
      "Total                        1,648.52",
      "",
    ].join("\n"),
  );
});

test("prints zero totals for an invoice without lines", () => {
  assert.equal(
    renderInvoice("item,quantity,price,discount,rate\n"),
    ["Net                              0.00", "Total                            0.00", ""].join("\n"),
  );
});
