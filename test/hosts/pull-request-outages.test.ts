import { describe, expect, it } from "vitest";
import type { ForgeCall } from "../../src/adapters/forge/carrier.ts";
import type { ScriptedCheck } from "../../src/testing/forge-world.ts";
import { type Fault, githubOf, type Meddle, replyOf } from "../support/github-of.ts";
import { factsOf, shippedRun } from "../support/shipped-run.ts";
import { someCases } from "../support/some-cases.ts";

const policy = { autoMerge: "squash" } as const;

let whole: Promise<{ readonly facts: ReturnType<typeof factsOf>; readonly asked: number }> | undefined;
const undisturbed = () => {
  whole ??= (async () => {
    const requests: ForgeCall[] = [];
    const shop = shippedRun({ policy, reach: githubOf(requests) });
    expect(await shop.start()).toMatchObject({ outcome: "complete" });
    return { facts: factsOf(shop), asked: requests.length };
  })();
  return whole;
};

type FaultFor = (call: ForgeCall) => Fault | null;

/** Each request meets this when it is made first: `late`, it was carried out all the same. */
function eachOnce(faultFor: FaultFor, late: boolean): Meddle {
  const seen = new Set<string>();
  return (call, reply) => {
    const key = JSON.stringify(call);
    const fault = seen.has(key) ? null : faultFor(call);
    seen.add(key);
    if (fault === null) return undefined;
    return late ? reply().then(() => fault) : Promise.resolve(fault);
  };
}

const limit = { message: "You have exceeded a secondary rate limit. Please wait a few minutes." };
const isQuery = ({ path }: ForgeCall): boolean => path === "graphql";
const always = (fault: Fault) => (): Fault => fault;
const ofQueries = (body: string) => (call: ForgeCall) => (isQuery(call) ? replyOf(200, body) : null);
const faults: Readonly<Record<string, FaultFor>> = {
  "a secondary rate limit": always(replyOf(403, JSON.stringify(limit), { "retry-after": "60" })),
  "a spent rate limit": always(
    replyOf(403, JSON.stringify({ message: "API rate limit exceeded" }), {
      ...{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1" },
    }),
  ),
  "status 429": always(replyOf(429, "")),
  "a bad gateway": always(replyOf(502, "<html>Bad Gateway</html>")),
  "no network": always({ kind: "offline", detail: "getaddrinfo ENOTFOUND api.github.com" }),
  "a reply that breaks off": (call) =>
    isQuery(call) || call.path.endsWith("pulls") ? replyOf(isQuery(call) ? 200 : 201, '{"data":{"repo') : null,
  "errors with status 200": ofQueries('{"data":null,"errors":[{"message":"Something went wrong"}]}'),
  "null in place of a field": ofQueries('{"data":{"viewer":{"login":"bot"},"repository":null}}'),
};

describe("a run with a pull request", () => {
  it.each(someCases(Object.keys(faults), 2))(
    "ends as any other when its forge answers each request at first with %s",
    async (name) => {
      await endsAsUndisturbed(eachOnce(faults[name] as FaultFor, false));
    },
  );

  it.each(["a bad gateway", "no network", "a reply that breaks off"])(
    "does nothing twice when each request is carried out, and answered at first with %s",
    async (name) => {
      await endsAsUndisturbed(eachOnce(faults[name] as FaultFor, true));
    },
  );

  it("takes a pull request with half of its checks for none", async () => {
    const requests: ForgeCall[] = [];
    const broken = eachOnce((call) => (isNextPage(call) ? replyOf(502, "") : null), false);
    const many = Array.from({ length: 120 }, (_, n): ScriptedCheck => ({ id: `CI / ${n}`, runs: ["passed"] }));
    const last: ScriptedCheck = { id: "CI / last", runs: ["failed", "passed"] };
    const shop = shippedRun({ threads: [], checks: () => [...many, last], reach: githubOf(requests, broken) });
    expect(await shop.start()).toMatchObject({ outcome: "complete" });
    expect(shop.events.map(({ type }) => type)).toContain("check.flaky");
    const said = shop.events.flatMap((event) => (event.type === "pr.waiting" ? [event.reason] : []));
    expect(said).toEqual(["busy"]);
  });
});

async function endsAsUndisturbed(meddle: Meddle): Promise<void> {
  const { facts, asked } = await undisturbed();
  const requests: ForgeCall[] = [];
  const shop = shippedRun({ policy, reach: githubOf(requests, meddle) });
  expect(await shop.start()).toMatchObject({ outcome: "complete" });
  expect(factsOf(shop)).toEqual(facts);
  expect(requests.length).toBeGreaterThan(asked);
  expect(requests.length).toBeLessThan(3 * asked);
}

const isNextPage = ({ body }: ForgeCall): boolean => /"checks":"\d+"/.test(JSON.stringify(body) ?? "");
