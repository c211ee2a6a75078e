import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseModificationRequest } from "../../src/parse/parse-modification-request.ts";
import { hostileTexts } from "../support/markdown-arbitraries.ts";
import { prop } from "../support/prop.ts";

const marker = "TASK_MODIFICATION_REQUEST";
const request = {
  type: "SPLIT_TASK",
  originalTaskId: "1.3",
  reasoning: "Two concerns",
  proposedTasks: ["- [ ] 1.3.1 Read\n  - **Do**: Read it", "- [ ] 1.3.2 Print\n  - **Do**: Print it"],
};
const json = (part: object = {}): string => JSON.stringify({ ...request, ...part }, null, 2);
const fenced = (source: string, info = "json"): string => `\`\`\`${info}\n${source}\n\`\`\``;
const read = (...lines: string[]) => parseModificationRequest(lines.join("\n"));

describe("parseModificationRequest", () => {
  it.each<[string, string]>([
    ["a fence after it", `${marker}\n${fenced(json())}`],
    ["a fence without a language", `${marker}\n\n${fenced(json(), "")}`],
    ["a fence of tildes", `${marker}\n~~~json\n${json()}\n~~~`],
    ["a fence that is not closed", `${marker}\n\`\`\`json\n${json()}`],
    ["prose between marker and JSON", `${marker}\nIt is too much for one task:\n\n${fenced(json())}`],
    ["a quote between marker and JSON", `${marker}\n> {"type": 1}\n${fenced(json())}`],
    ["an empty fence between marker and JSON", `${marker}\n\`\`\`\n\`\`\`\n${fenced(json())}`],
    ["JSON in the text", `${marker}\n${json()}`],
    ["JSON in the text on one line", `${marker}\n  ${JSON.stringify(request)}\nThat is all.`],
    ["JSON in the text, then a fence", `${marker}\n${json()}\n${fenced("npm test", "sh")}`],
    ["a signal after it", `${marker}\n${fenced(json())}\nTASK_COMPLETE`],
    ["another fence after it", `${marker}\n${fenced(json())}\n\n${fenced("npm test", "sh")}`],
    ["text before and after it", `I looked.\n  ${marker} \t\n${fenced(json())}\nThat is all.`],
    ["a request in a fence before it", `${fenced(`${marker}\n{}`, "")}\n${marker}\n${fenced(json())}`],
    ["the marker in a sentence before it", `I send ${marker} now.\n${marker}\n${fenced(json())}`],
    ["Windows line endings", `${marker}\n${fenced(json())}`.replaceAll("\n", "\r\n")],
    ["unknown keys", `${marker}\n${fenced(json({ priority: "high", __proto__: { type: "x" } }))}`],
    ["blanks around the id", `${marker}\n${fenced(json({ originalTaskId: " 1.3 " }))}`],
  ])("reads a request with %s", (_, text) => {
    expect(parseModificationRequest(text)).toEqual({ kind: "request", request });
  });

  it("counts braces only outside of JSON strings", () => {
    const said = { ...request, reasoning: 'a } and \\" { in "it' };
    expect(read(marker, JSON.stringify(said, null, 1), "} else {")).toEqual({ kind: "request", request: said });
  });

  it("truncates the reasoning, and accepts a request without one", () => {
    const cut = read(marker, fenced(json({ reasoning: "👍".repeat(600) })));
    expect(cut).toEqual({ kind: "request", request: { ...request, reasoning: "👍".repeat(500) } });
    const long = read(marker, fenced(json({ reasoning: "x".repeat(600) })));
    expect(long).toEqual({ kind: "request", request: { ...request, reasoning: "x".repeat(500) } });
    const without = read(marker, fenced(json({ reasoning: undefined })));
    expect(without).toEqual({ kind: "request", request: { ...request, reasoning: "" } });
  });

  it.each([
    "",
    "TASK_COMPLETE",
    json(),
    fenced(json()),
    `I would send ${marker}\n${fenced(json())}`,
    `${marker}:\n${fenced(json())}`,
    `\`${marker}\`\n${fenced(json())}`,
    `**${marker}**\n${fenced(json())}`,
    `- ${marker}\n${fenced(json())}`,
    `> ${marker}\n${fenced(json())}`,
    `${marker.toLowerCase()}\n${fenced(json())}`,
    `MY_${marker}\n${fenced(json())}`,
    fenced(`${marker}\n${json()}`, ""),
    `~~~\n${marker}\n${fenced(json())}\n~~~`,
    `\`\`\`\`\n${marker}\n${fenced(json())}`,
    `${marker}${" ".repeat(20_000)}is what I would send\n${fenced(json())}`,
  ])("finds no request in %j", (text) => {
    expect(parseModificationRequest(text)).toEqual({ kind: "none" });
  });

  it.each<[string, string, string]>([
    ["nothing after it", marker, "no JSON follows the request"],
    ["its JSON before it", `${fenced(json())}\n${marker}`, "no JSON follows the request"],
    ["its JSON in a quote", `${marker}\n> ${JSON.stringify(request)}`, "no JSON follows the request"],
    ["a fence of blanks", `${marker}\n${fenced("  ")}`, "no JSON follows the request"],
    [
      "a second request after it",
      `${marker}\n${fenced(json())}\n\n${marker}\n${fenced(json())}`,
      "more than one request",
    ],
    ["the marker twice", `${marker}\n${marker}\n${fenced(json())}`, "more than one request"],
    ["two objects", `${marker}\n${fenced(`${json()}\n${json()}`)}`, "cannot be parsed"],
    ["two fences in a row", `${marker}\n${fenced(json())}\n${fenced(json())}`, "cannot be parsed"],
    ["text after its JSON", `${marker}\n${JSON.stringify(request)} please`, "cannot be parsed"],
    ["a comment in it", `${marker}\n${fenced(`// split\n${json()}`)}`, "cannot be parsed"],
    ["a number on two lines", `${marker}\n${fenced(json().replace("{", '{"x": 1\n2,'))}`, "cannot be parsed"],
    ["JSON that is not closed", `${marker}\n${json().slice(0, -2)}`, "cannot be parsed"],
    ["JSON with a fence in it", `${marker}\n{"type":\n${fenced('"SPLIT_TASK"}')}`, "cannot be parsed"],
    ["a log in the fence", `${marker}\n${fenced("npm test", "sh")}\n\n${fenced(json())}`, "cannot be parsed"],
    ["a line that is too long", `${marker}\n${JSON.stringify({ ...request, x: "y".repeat(17_000) })}`, "16 KiB"],
    ["endless nesting", `${marker}\n${fenced("[".repeat(16_000))}`, "cannot be parsed"],
    ["too long a fence", `${marker}\n${fenced(" \n.".repeat(140_000))}`, "more than 262144 characters"],
    ["a list", `${marker}\n${fenced("[]")}`, "is invalid: Invalid input"],
    ["null", `${marker}\n${fenced("null")}`, "is invalid: Invalid input"],
    ["another type", `${marker}\n${fenced(json({ type: "DELETE_TASK" }))}`, "is invalid: type: "],
    ["a type that every object has", `${marker}\n${fenced(json({ type: "constructor" }))}`, "is invalid: type: "],
    ["no id", `${marker}\n${fenced(json({ originalTaskId: undefined }))}`, "is invalid: originalTaskId: "],
    ["a blank id", `${marker}\n${fenced(json({ originalTaskId: " " }))}`, "is invalid: originalTaskId: "],
    ["a number as id", `${marker}\n${fenced(json({ originalTaskId: 1.3 }))}`, "is invalid: originalTaskId: "],
    ["an invalid reasoning", `${marker}\n${fenced(json({ reasoning: ["x"] }))}`, "is invalid: reasoning: "],
    ["no tasks", `${marker}\n${fenced(json({ proposedTasks: [] }))}`, "is invalid: proposedTasks: "],
    ["one task as text", `${marker}\n${fenced(json({ proposedTasks: "- [ ] 1.3.1 a" }))}`, "proposedTasks: "],
    ["a task as an object", `${marker}\n${fenced(json({ proposedTasks: ["a", {}] }))}`, "proposedTasks: 1: "],
    ["too many tasks", `${marker}\n${fenced(json({ proposedTasks: Array(21).fill("a") }))}`, "proposedTasks: "],
  ])("reports the error in a request with %s", (_, text, reason) => {
    expect(parseModificationRequest(text)).toEqual({ kind: "malformed", reason: expect.stringContaining(reason) });
  });

  it("reads JSON up to its limit", () => {
    const lines = Array.from({ length: 16 }, (_, at) => `"${at}": "${"x".repeat(16_000)}",`);
    const source = `{\n${lines.join("\n")}\n${json().slice(1)}`.padEnd(256 * 1024);
    expect(read(marker, fenced(source))).toEqual({ kind: "request", request });
    expect(read(marker, fenced(`${source} `))).toMatchObject({ kind: "malformed" });
    const short = `${source.trimEnd().slice(0, -1)}${" ".repeat(source.length - source.trimEnd().length - 1)}\n}`;
    expect(short).toHaveLength(256 * 1024);
    expect(read(marker, fenced(short))).toEqual({ kind: "request", request });
    expect(read(marker, short)).toEqual({ kind: "request", request });
  });

  it("quotes nothing of the message in a reason", () => {
    const secret = "sk-secret";
    for (const part of [{ type: secret }, { originalTaskId: [secret] }, { proposedTasks: secret }]) {
      expect(JSON.stringify(read(marker, fenced(json(part))))).not.toContain(secret);
    }
    expect(JSON.stringify(read(marker, fenced(`{${secret}`)))).not.toContain(secret);
  });
});

describe("parseModificationRequest, for every message", () => {
  const parts = fc.oneof(
    hostileTexts,
    fc.constantFrom(
      ...["\n", "\r", marker, `\n${marker}\n`, "```", "\n```json\n", "\n~~~\n", "> ", "{", "}", '"', "\\", json()],
      ...[JSON.stringify(request), `\n${fenced(json())}\n`, "[", "\n\n", " "],
    ),
  );
  const messages = fc.array(parts, { maxLength: 15 }).map((all) => all.join(""));

  prop("I13, I19: returns the same result each time", [messages], (text) => {
    const answer = parseModificationRequest(text);
    expect(answer).toEqual(parseModificationRequest(text));
    if (answer.kind === "request") expect(answer.request.proposedTasks.length).toBeGreaterThan(0);
    else expect(Object.keys(answer)).toEqual(answer.kind === "none" ? ["kind"] : ["kind", "reason"]);
  });

  prop("I10: a message in a fence that it cannot close asks for nothing", [messages], (text) => {
    const fence = "~".repeat(text.length + 3);
    expect(parseModificationRequest(`${fence}\n${text}\n${fence}`)).toEqual({ kind: "none" });
  });

  prop("I10: a quoted message asks for nothing", [messages], (text) => {
    expect(parseModificationRequest(`> ${text.replace(/\r\n|\r|\n/g, "$&> ")}`)).toEqual({ kind: "none" });
  });

  prop(
    "reads every request that is written as JSON",
    [fc.array(fc.string(), { minLength: 1, maxLength: 20 }), fc.string()],
    (proposedTasks, reasoning) => {
      const asked = { ...request, proposedTasks, reasoning };
      for (const space of [0, 2]) {
        const source = JSON.stringify(asked, null, space);
        for (const block of [source, fenced(source)]) {
          expect(read("Too much.", marker, block, "", "Bye.")).toEqual({ kind: "request", request: asked });
        }
      }
    },
  );
});
