import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { rules } from "../src/model/rule.ts";

const page = readFileSync(resolve(import.meta.dirname, "../docs/formats.md"), "utf8");

describe("the table of rules", () => {
  it("is what the code says", () => {
    const written = [...page.matchAll(/^\| `([a-z-]+)` \| (error|warning) \| (.*) \|$/gm)].map((row) => row.slice(1));
    expect(written).toEqual(Object.entries(rules).map(([rule, { severity, when }]) => [rule, severity, when]));
  });
});
