import { describe, expect, it } from "vitest";
import { askLater } from "../../../../src/hosts/node/consent/ask-first.ts";

type Given = Parameters<typeof askLater>[0];
type Agreement = ReturnType<Given["consent"]["current"]>;

const address = { program: "fixpoint", spec: "demo", cwd: null, path: "demo" };

function person(answer: boolean, agreed: Partial<Agreement> = {}) {
  const asked: [question: string, items: readonly string[]][] = [];
  let now = { verify: [], reality: [], options: {}, ...agreed } as unknown as Agreement;
  const confirm = async (...question: (typeof asked)[number]): Promise<boolean> => {
    asked.push(question);
    return answer;
  };
  const consent = {
    current: () => now,
    agree: (wanted: Agreement) => {
      now = wanted;
    },
  };
  const ask = askLater({ options: { confirm }, consent, address } as unknown as Given);
  return { ask, asked, agreed: () => now };
}

describe("askLater", () => {
  it("asks once about what has no consent yet", async () => {
    const { ask, asked, agreed } = person(true, { verify: ["make"] });
    const verify = { purpose: "verify", commands: ["make", "make test", "make test"] } as const;
    expect(await ask(verify)).toEqual({ given: true });
    expect(asked).toEqual([["An executor asks for new tasks with these Verify commands. Run it?", ["make test"]]]);
    expect(agreed().verify).toEqual(["make", "make test"]);
    expect(await ask(verify)).toEqual({ given: true });
    expect(asked).toHaveLength(1);
    expect(await ask({ purpose: "reality", commands: ["make"] })).toEqual({ given: true });
    expect(asked[1]).toEqual(["The reality check in .progress.md runs this command. Run it?", ["make"]]);
  });

  it("says how to consent if a person refuses", async () => {
    const { ask, agreed } = person(false);
    const one = await ask({ purpose: "verify", commands: ["make"] });
    const hint = expect.stringMatching(/^to let it run: fixpoint run demo --accept [0-9a-f]{16}$/);
    expect(one).toEqual({ given: false, hint });
    const two = await ask({ purpose: "verify", commands: ["make", "test"] });
    expect(two).toEqual({ given: false, hint: expect.stringContaining("to let them run: ") });
    expect(agreed().verify).toEqual([]);
  });
});
