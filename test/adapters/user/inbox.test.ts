import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openInbox } from "../../../src/adapters/user/inbox.ts";
import { temporaryFolder } from "../../support/folder.ts";

const by = { kind: "terminal", terminal: "/dev/pts/1", process: "bash", pid: 7 } as const;
const word = (text: string) => ({ run: 1, by, event: { type: "guidance.given", text } as const });

describe("messages left for a run", () => {
  it("are listed, oldest first, until each is removed, and their folder is kept until then", () => {
    const place = temporaryFolder();
    const box = openInbox(place);
    expect(box.read()).toEqual([]);
    const ids = ["a", "b", "c"].map((text) => box.leave(word(text)));
    expect(openInbox(place).read()).toEqual(["a", "b", "c"].map((text, at) => ({ id: ids[at], ...word(text) })));
    const [first = "", ...others] = ids;
    box.remove(first);
    box.remove(first);
    expect([box.isThere(first), ...others.map(box.isThere)]).toEqual([false, true, true]);
    others.forEach(box.remove);
    expect(readdirSync(place)).toEqual([]);
    expect(box.isThere(others[0] ?? "")).toBe(false);
  });

  it("are readable by no one else", () => {
    const place = temporaryFolder();
    openInbox(place).leave(word("a"));
    const folder = join(place, "said");
    const [name = ""] = readdirSync(folder);
    expect([statSync(folder).mode & 0o777, statSync(join(folder, name)).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  it("are not read from other kinds of files, or links", () => {
    const place = temporaryFolder();
    const box = openInbox(place);
    const id = box.leave(word("a"));
    const name = (end: string): string => join(place, "said", `${"0".repeat(20)}-${end}.json`);
    const ids = [1, 2, 3, 4].map((digit) => `${digit}${id.slice(1)}`);
    writeFileSync(name(ids[0] ?? ""), "{");
    writeFileSync(name(ids[1] ?? ""), JSON.stringify({ id: ids[1], ...word("x".repeat(4001)) }));
    const elsewhere = join(place, "elsewhere.json");
    writeFileSync(elsewhere, JSON.stringify({ id: ids[2], ...word("b") }));
    symlinkSync(elsewhere, name(ids[2] ?? ""));
    mkdirSync(name(ids[3] ?? ""));
    writeFileSync(join(place, "said", "note.json"), JSON.stringify({ id: "n", ...word("c") }));
    expect(box.read().map((each) => each.id)).toEqual([id]);
  });

  it("are refused with an error of the environment if the system refuses", () => {
    const place = temporaryFolder();
    writeFileSync(join(place, "said"), "");
    const box = openInbox(place);
    for (const use of [() => box.leave(word("a")), box.read]) {
      expect(use).toThrow(expect.objectContaining({ code: "file-refused", blame: "environment" }));
    }
    expect(existsSync(join(place, "said"))).toBe(true);
  });
});
