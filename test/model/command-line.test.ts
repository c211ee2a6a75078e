import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addressBy,
  addressOf,
  adviceOf,
  commandLine,
  type SpecAddress,
  sameAgain,
  shellWord,
  splitCommand,
  throughShell,
  withAnswer,
} from "../../src/model/command-line.ts";
import { InputError, type WayOn } from "../../src/model/errors.ts";
import { prop } from "../support/prop.ts";

describe("splitCommand", () => {
  it.for([
    ["claude -p", ["claude", "-p"]],
    ["  a\t b\n", ["a", "b"]],
    ["sh -c 'echo \"$HOME\"; ls | wc'", ["sh", "-c", 'echo "$HOME"; ls | wc']],
    ['a "b \\" c" \'d \\ e\' f\\ g', ["a", 'b " c', "d \\ e", "f g"]],
    ["a '' \"\"", ["a", "", ""]],
    ["a'b'\"c\"d", ["abcd"]],
    ['a \\\n b\\\nc "d\\\ne"', ["a", "bc", "de"]],
    ['a $HOME * ~ | & # `id` "\\n"', ["a", "$HOME", "*", "~", "|", "&", "#", "`id`", "\\n"]],
  ] as const)("splits %j", ([line, words]) => {
    expect(splitCommand(line)).toEqual(words);
  });

  it.for([
    ["", /expected the name of a program/],
    [" \n", /expected the name of a program/],
    ["'' a", /expected the name of a program/],
    ["a 'b", /an end to the `'` at character 3/],
    ['a "b \\"', /an end to the `"` at character 3/],
    ["a \\", /an end to the `\\` at character 3/],
  ] as const)("refuses %j", ([line, message]) => {
    expect(() => splitCommand(line)).toThrow(
      expect.objectContaining({ code: "command-unreadable", blame: "input", message: expect.stringMatching(message) }),
    );
  });
});

describe("splitCommand, for every list of words", () => {
  prop("restores words that were quoted", [fc.array(fc.string({ unit: "binary" }), { minLength: 1 })], (words) => {
    const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
    expect(splitCommand(`x ${quoted}`)).toEqual(["x", ...words]);
  });

  it("splits as sh does", () => {
    const characters = fc.constantFrom("a", "é", " ", "\t", "\n", "'", '"', "\\", "\\\n", '\\"', "=", "-");
    const lines = fc
      .sample(fc.string({ unit: characters, maxLength: 12 }), { numRuns: 500, seed: 1 })
      .map((line) => `x ${line.replaceAll(/(?<!\\)\n/g, " ")}`)
      .filter((line) => !line.includes("\\\\\n") && isReadable(line));
    const script = lines.map((line, index) => `printf '%s\\0' ${index} ${line}\nprintf '\\0\\0'\n`).join("");
    const printed = execFileSync("sh", { input: script, encoding: "utf8" }).split("\0\0\0").slice(0, -1);
    expect(lines.length).toBeGreaterThan(100);
    expect(printed).toEqual(lines.map((line, index) => [index, ...splitCommand(line)].join("\0")));
  });
});

function isReadable(line: string): boolean {
  try {
    return splitCommand(line).every((word) => word !== "");
  } catch {
    return false;
  }
}

const here = addressOf("login");
const elsewhere: SpecAddress = { program: "npx fixpoint", spec: "login", cwd: "my app", path: "my app/specs/login" };

describe("commandLine of a fleet's run", () => {
  const fleet = { queue: "postgres://me@db/f", executor: "agent" };
  const address: SpecAddress = { program: "fixpoint", spec: "specs/shop", cwd: null, path: "shop-1", fleet };
  it.each([
    [commandLine(address, "status"), "status shop-1 --queue postgres://me@db/f"],
    [commandLine(address, "why", { task: "1.1" }), "why 1.1 shop-1 --queue postgres://me@db/f"],
    [
      commandLine(address, "say", { task: ["guidance", "Use it"], options: ["--task", "1.1"] }),
      'say shop-1 guidance "Use it" --task 1.1 --queue postgres://me@db/f',
    ],
    [
      commandLine(address, "resume", { options: ["--decision", "retry", "--max-iterations", "9"] }),
      "submit specs/shop --queue postgres://me@db/f --executor agent --max-iterations 9",
    ],
  ])("%s", (line, words) => expect(line).toBe(`fixpoint ${words}`));
});

describe("throughShell", () => {
  it.each(["cat > /dev/null; echo x", "a | b", "a && b", "a & b", "a < b", "run $HOME", "run $(date)", "run `date`"])(
    "runs %j through a shell",
    (line) => {
      expect(splitCommand(throughShell(line))).toEqual(["sh", "-c", line]);
    },
  );

  it.each(["./agent.sh --fast", "sh -c 'a; b'", 'agent "a; $b"', "agent a\\;b", "agent 5$", "agent -x '>'", ""])(
    "leaves %j unchanged",
    (line) => {
      expect(throughShell(line)).toBe(line);
    },
  );
});

describe("commandLine", () => {
  it.each([
    [commandLine(here, "status"), "fixpoint status login"],
    [commandLine(here, "why", { task: "1.3" }), "fixpoint why 1.3 login"],
    [commandLine(here, "resume", { options: ["--guidance", "Use zod"] }), 'fixpoint resume login --guidance "Use zod"'],
    [commandLine(elsewhere, "run", { options: ["--yes"] }), 'npx fixpoint run login --cwd "my app" --yes'],
    [commandLine(elsewhere, "logs", { task: "1.3" }), 'npx fixpoint logs 1.3 "my app/specs/login"'],
    [commandLine(addressOf("--yes"), "lint"), "fixpoint lint ./--yes"],
  ])("can be pasted: %s", (line, expected) => {
    expect(line).toBe(expected);
  });
});

const typed = (...options: string[]): SpecAddress => ({ ...addressOf("wc"), options });

describe("a suggested call", () => {
  it.each([
    ["adds an option", typed("--exec", "./do it.sh"), ["--yes"], `run wc --exec "./do it.sh" --yes`],
    [
      "replaces the value of an option",
      typed("--permissions", "edit", "--repair"),
      ["--permissions", "full"],
      "run wc --repair --permissions full",
    ],
    ["repeats no switch", typed("--yes", "--repair"), ["--yes"], "run wc --repair --yes"],
    [
      "keeps the values of an option that may be repeated",
      typed("--executor-args", "codex: --x"),
      ["--executor-args", "codex: --y"],
      `run wc --executor-args "codex: --x" --executor-args "codex: --y"`,
    ],
    [
      "contains the remembered flags of a tool if it adds flags",
      { ...typed("--yes"), args: { codex: "--model x" } },
      ["--executor-args", "codex: --y"],
      `run wc --yes --executor-args "codex: --model x" --executor-args "codex: --y"`,
    ],
    [
      "omits remembered flags if flags were typed, or none are added",
      { ...typed("--executor-args", "codex: --x"), args: { codex: "--model x" } },
      ["--take-over"],
      `run wc --executor-args "codex: --x" --take-over`,
    ],
    [
      "keeps an answer",
      { ...typed("--yes"), answer: ["--decision", "skip"] },
      ["--take-over"],
      "resume wc --decision skip --yes --take-over",
    ],
    ["has no answer for a new run", { ...typed(), answer: ["--decision", "skip"] }, ["--new-run"], "run wc --new-run"],
    ["needs no options", addressOf("wc"), [], "run wc"],
  ])("%s", (_, address, more, line) => {
    expect(sameAgain(address, ...more)).toBe(`fixpoint ${line}`);
  });

  it("repeats the whole answer of a refused call", () => {
    const given = { task: "1.2", guidance: "use a queue", decision: undefined };
    expect(sameAgain(withAnswer(typed("--yes"), given), "--accept", "a1")).toBe(
      'fixpoint resume wc --task 1.2 --guidance "use a queue" --yes --accept a1',
    );
    expect(sameAgain(withAnswer(addressOf("wc"), {}), "--accept", "a1")).toBe("fixpoint run wc --accept a1");
  });

  it("needs no name if it is for the only spec", () => {
    expect(commandLine({ program: "npx fixpoint", spec: "", path: "", cwd: "there" }, "run")).toBe(
      "npx fixpoint run --cwd there",
    );
  });
});

describe("the resolution of an error", () => {
  const error = (...ways: WayOn[]) => new InputError("No", { code: "bad-option", ways });

  it.each<[string, WayOn, string, string]>([
    [
      "an option",
      { say: "Begin anew", words: ["--new-run"] },
      "Begin anew: fixpoint run wc --require-commit --new-run",
      "Begin anew (newRun: true)",
    ],
    [
      "options with values",
      { say: "Go on", words: ["--permissions", "full", "--commit", "off"] },
      "Go on: fixpoint run wc --require-commit --permissions full --commit off",
      `Go on (permissions: "full", commit: false)`,
    ],
    [
      "flags of a tool",
      { say: "Give it", words: ["--executor-args", "codex: --sandbox x"] },
      `Give it: fixpoint run wc --require-commit --executor-args "codex: --sandbox x"`,
      `Give it (args: "--sandbox x")`,
    ],
    [
      "an option too many",
      { say: "Go on", without: ["--require-commit"] },
      "Go on: fixpoint run wc",
      "Go on (requireCommit: false)",
    ],
    ["another command", { say: "End it", command: "stop" }, "End it: fixpoint stop wc", "End it"],
    ["nothing to type", { say: "Install it" }, "Install it", "Install it"],
  ])("renders %s as a line for a person, and for a program under its own name", (_, way, line, hint) => {
    expect(adviceOf(error(way), typed("--require-commit"))).toBe(line);
    expect(error(way).hint).toBe(hint);
  });

  it("has several lines, or only the hint", () => {
    const both = error({ say: "Wait" }, { say: "Or begin a new run", words: ["--new-run"] });
    expect(adviceOf(both, addressOf("wc"))).toBe("Wait\nOr begin a new run: fixpoint run wc --new-run");
    expect(both.hint).toBe("Wait\nOr begin a new run (newRun: true)");
    expect(adviceOf(new InputError("No", { code: "bad-option", hint: "Mend it" }), addressOf("wc"))).toBe("Mend it");
    expect(adviceOf(new InputError("No", { code: "bad-option" }), addressOf("wc"))).toBeUndefined();
  });
});

describe("shellWord", () => {
  it.each([
    ["src/a-b_c.ts", "src/a-b_c.ts"],
    ["", '""'],
    ["two words; one line", '"two words; one line"'],
    ["$HOME", "'$HOME'"],
    ['say "it"', `'say "it"'`],
    ["it's `pwd`", String.raw`'it'\''s ${"`pwd`"}'`],
  ])("writes %s as %s", (word, written) => {
    expect(shellWord(word)).toBe(written);
  });
});

it("suggests next for a run with handed-out tasks, and a fleet's new run without answers", () => {
  const address = addressOf("a");
  expect([addressBy(address, { outside: true }).start, addressBy(address, null)]).toEqual(["next", address]);
  const fleet = { ...address, fleet: { queue: "q", executor: "e" } };
  const options = ["--yes", "--decision", "skip"];
  expect(commandLine(fleet, "resume", { options })).toBe("fixpoint submit a --queue q --executor e --yes");
});
