import { describe, expect, it } from "vitest";
import { ownTrouble, withheldAct } from "../../src/effects/outside-trouble.ts";
import type { Judgement } from "../../src/model/evidence.ts";
import type { Reply } from "../../src/model/reply.ts";

const now = 1_000_000;
const act = { tool: "Bash", act: "ls" };
const silent: Reply = { text: "", exitCode: 1, atOnce: true };

const after = (...before: Reply[]) => ({
  attempts: {
    knows: (key: string) => before[Number(key.split("#")[1]) - 1] !== undefined,
    recall: async (key: string) => ({ reply: before[Number(key.split("#")[1]) - 1] }),
  },
  key: `1.1#${before.length + 1}`,
});
const trouble = async (reply: Reply, before: Reply[] = [], changed?: string[]) => {
  const { attempts, key } = after(...before);
  const judgement = changed === undefined ? null : ({ evidence: { git: { changed } } } as unknown as Judgement);
  return ownTrouble({ attempts } as never, key, { reply, judgement }, now);
};

describe("ownTrouble", () => {
  it.each<[string, Reply, Reply[], unknown]>([
    ["the first silent end", silent, [], { until: now + 1000, message: "no error output (exit 1, ended at once)" }],
    ["the second silent end", silent, [silent], { until: null }],
    [
      "the first end with a message",
      { ...silent, stderr: "a\nno config\n" },
      [],
      { message: "no config (exit 1, ended at once)" },
    ],
    [
      "the second end with the same message",
      { ...silent, stderr: "no key (12ms)" },
      [{ ...silent, stderr: "no key (7ms)" }],
      { until: null },
    ],
    ["a silent end of an executor that worked before", silent, [{ text: "hm" }], { until: now + 1000 }],
    [
      "the exit code of a missing program",
      { text: "", exitCode: 127 },
      [],
      { until: null, message: "exit 127: it cannot run" },
    ],
  ])("finds the trouble in %s", async (_, reply, before, expected) => {
    expect(await trouble(reply, before)).toMatchObject({ kind: "startup", ...(expected as object) });
  });

  it("returns the problem that the executor reports", async () => {
    const problem = { kind: "auth", message: "log in" } as const;
    expect(await trouble({ text: "", problem })).toMatchObject({ kind: "auth" });
  });

  it("returns none if it worked", async () => {
    expect(await trouble({ text: "hm", exitCode: 1 })).toBeNull();
    expect(await trouble(silent, [], ["a.ts"])).toBeNull();
    expect(await trouble({ ...silent, stderr: "other words" }, [silent])).toBeNull();
    expect(await trouble(silent, [], [])).toMatchObject({ kind: "startup" });
  });
});

describe("withheldAct", () => {
  const withheld = (reply: Reply, before = false) => {
    const attempts = {
      newDenial: (_: string, [first = null]: readonly unknown[]) => first,
      deniedBefore: () => before,
    };
    return withheldAct({ attempts } as never, "1.1#1", reply);
  };

  it("returns a denied action if the agent says that it could not continue, or the second time", () => {
    expect(withheld({ text: "I was not allowed to list", denials: [act] })).toEqual(act);
    expect(withheld({ text: "hm", denials: [act] })).toBeNull();
    expect(withheld({ text: "hm", denials: [act] }, true)).toEqual(act);
    expect(withheld({ text: "I was not allowed to list" })).toBeNull();
  });
});
