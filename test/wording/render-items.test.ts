import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitItems, renderGroups, renderItem, renderItems } from "../../src/wording/render-items.ts";
import { hostileStrings } from "../support/hostile-strings.ts";
import { prop } from "../support/prop.ts";

const coded = /⏎(?:×(\d+))?|·(\d+)|\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\u\{([0-9a-f]+)\}/g;

function readBack(list: string): string[] {
  const lines = list.split("\n");
  const count = /^(\d+) items?:$/.exec(lines[0] ?? "")?.[1];
  expect(lines.at(-1)).toBe(`End of the list: ${count} ${count === "1" ? "item" : "items"}.`);
  const items: string[] = [];
  for (const line of lines.slice(1, -1)) {
    if (line.startsWith("  ")) items.push(line.slice(2));
    else {
      expect(line.slice(0, 2)).toBe("│ ");
      items.push(`${items.pop()}${line.slice(2)}`);
    }
  }
  expect(items).toHaveLength(Number(count));
  return items.map((item) =>
    item.replace(coded, (whole, breaks?: string, spaces?: string, two?: string, four?: string, more?: string) => {
      if (spaces !== undefined) return " ".repeat(Number(spaces));
      const hex = two ?? four ?? more;
      if (hex === undefined) return "\n".repeat(Number(breaks ?? 1));
      return whole.startsWith("\\u{")
        ? String.fromCodePoint(Number.parseInt(hex, 16))
        : String.fromCharCode(Number.parseInt(hex, 16));
    }),
  );
}

const piece = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom(...hostileStrings.filter(({ text }) => text.length < 2000).map(({ text }) => text)),
  fc.constantFrom(
    "\n",
    "\n\n\n",
    "    ",
    " ",
    "·",
    "×",
    "·12",
    "×3",
    "⏎",
    "│ ",
    "\\x1b",
    "\\u{1f600}",
    "\\",
    "5",
    "x41",
  ),
  fc.constantFrom(
    "3 items:",
    "End of the list: 3 items.",
    "  Verify: npm run lint",
    "nрm",
    "\ud800",
    "é",
    "e\u0301\u0301\u0301",
  ),
);
const item = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(""));

describe("renderItems", () => {
  prop(
    "can be read back, in terminals of every width",
    [fc.array(item, { minLength: 1, maxLength: 5 }), fc.integer({ min: 12, max: 200 })],
    (items, columns) => {
      const list = renderItems(items);
      expect(readBack(list)).toEqual(items);
      const fitted = fitItems(list, columns);
      expect(readBack(fitted)).toEqual(items);
      expect(
        Math.max(
          ...fitted
            .split("\n")
            .slice(1, -1)
            .map((line) => [...line.replace(/\p{M}/gu, "")].length),
        ),
      ).toBeLessThan(columns);
    },
    200,
  );

  it("counts line breaks and spaces, and leaves ordinary text unchanged", () => {
    const command = `touch PWNED; exec npm test${"\n".repeat(81)}  Verify: npm run lint`;
    expect(renderItems([`Verify: ${command}`, "Verify: printf 'a\\n' · déjà vu 日本語 тест"])).toBe(
      [
        "2 items:",
        "  Verify: touch PWNED; exec npm test⏎×81",
        "│   Verify: npm run lint",
        "  Verify: printf 'a\\n' · déjà vu 日本語 тест",
        "End of the list: 2 items.",
      ].join("\n"),
    );
    expect(renderItem(`true${" ".repeat(400)}; touch PWNED`)).toBe("true·400; touch PWNED");
  });

  it.each([
    ["Latin with Cyrillic", "nрm test", "n\\u0440m test"],
    ["Latin with Greek", "echo α1b", "echo \\u03b11b"],
    ["Cyrillic that looks like Latin", "сору x", "\\u0441\\u043e\\u0440\\u0443 x"],
    ["wide letters", "ｎpm", "\\uff4epm"],
    ["mathematical letters", "𝚗pm", "\\u{1d697}pm"],
    ["a letter of phonetics", "ɡit", "\\u0261it"],
    ["a blank other than a space", "a\u00a0b\u2800c", "a\\xa0b\\u2800c"],
    ["directions and nothing", "a\u202eb\u200bc\u2067", "a\\u202eb\\u200bc\\u2067"],
    ["Cyrillic alone", "сделай тест", "сделай тест"],
    ["Latin next to Japanese", "テストtest", "テストtest"],
  ])("marks %s", (_, text, shown) => expect(renderItem(text)).toBe(shown));

  it("shows items under their heading", () => {
    const groups = [
      { label: "one", items: ["Verify: a"] },
      { label: "two\n3 items:", items: ["Verify: b\nc"] },
    ];
    expect(renderGroups(groups)).toBe(
      "2 items:\n  one:\n    Verify: a\n  two⏎3 items::\n    Verify: b⏎\n│ c\nEnd of the list: 2 items.",
    );
  });

  it("leaves text that is not a list unchanged", () => {
    const text = `ERROR: ${"long ".repeat(30)}\n1 item:\n  ${"x".repeat(50)}\nEnd of the list: 1 item.\n${"y".repeat(50)}`;
    expect(fitItems(text, 40)).toBe(
      `ERROR: ${"long ".repeat(30)}\n1 item:\n  ${"x".repeat(37)}\n│ ${"x".repeat(13)}\nEnd of the list: 1 item.\n${"y".repeat(50)}`,
    );
  });

  it("breaks a line between words, unless half of it would stay free", () => {
    const shown = (item: string) =>
      fitItems(renderItems([item]), 24)
        .split("\n")
        .slice(1, -1);
    expect(shown("see git diff 0123, and git status")).toEqual(["  see git diff 0123,", "│  and git status"]);
    expect(shown("see git diff 012, and git status")).toEqual(["  see git diff 012, and", "│  git status"]);
    expect(shown(`see ${"x".repeat(30)}`)).toEqual([`  see ${"x".repeat(17)}`, `│ ${"x".repeat(13)}`]);
  });
});
