import { parseJson } from "../../model/parse-json.ts";
import type { Hindered, Refused } from "../../ports/forge.ts";
import type { Carrier, ForgeCall, ForgeReply } from "./carrier.ts";

export interface Asker {
  readonly now: () => number;
  /** Returns any response of the API, unless the forge is unavailable or rejects the login. */
  readonly rest: (call: ForgeCall, signal: AbortSignal) => Promise<ForgeReply | Hindered | Refused>;
  readonly query: (text: string, variables: object, signal: AbortSignal) => Promise<Data | Hindered | Refused>;
}

interface Data {
  readonly kind: "data";
  readonly data: unknown;
}

export interface AskerOptions {
  readonly carrier: Carrier;
  /** @returns Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Sends requests one after the other, and writes at least a second apart.
 *
 * @source https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api
 */
export function openAsker({ carrier, now, sleep }: AskerOptions): Asker {
  let turn: Promise<unknown> = Promise.resolve();
  let changedAt = Number.NEGATIVE_INFINITY;
  const serially = async <Answer>(
    isChange: boolean,
    signal: AbortSignal,
    send: () => Promise<Answer>,
  ): Promise<Answer> => {
    const mine = turn.then(async () => {
      const wait = changedAt + betweenChangesMs - now();
      // Limit the wait, because the clock may have been set back.
      if (isChange && wait > 0) await sleep(Math.min(wait, betweenChangesMs), signal);
      try {
        return await send();
      } finally {
        if (isChange) changedAt = now();
      }
    });
    turn = mine.catch(() => null);
    return mine;
  };
  const rest: Asker["rest"] = async (call, signal) => {
    const isChange = call.method === "POST" && !isQuery(call);
    const reply = await serially(isChange, signal, () => carrier(call, signal));
    if (reply.kind === "refused") return reply;
    if (reply.kind === "offline") return hindered("offline", now() + 60_000, reply.detail);
    return limitOf(reply, now()) ?? reply;
  };
  return {
    now,
    rest,
    query: async (text, variables, signal) => {
      const reply = await rest({ method: "POST", path: "graphql", body: { query: text, variables } }, signal);
      return reply.kind === "reply" ? readData(reply, now()) : reply;
    },
  };
}

const betweenChangesMs = 1000;

const isQuery = ({ path, body }: ForgeCall): boolean =>
  path === "graphql" && /^\s*query\b/.test((body as { query: string }).query);

export const halfAnswer = (asker: Pick<Asker, "now">, without?: string): Hindered =>
  hindered(
    "busy",
    asker.now() + 30_000,
    `an incomplete answer${without === undefined ? "" : `, without \`${without}\``}`,
  );

const hindered = (reason: Hindered["reason"], until: number, detail: string): Hindered => ({
  kind: "hindered",
  ...{ reason, until, detail },
});

function limitOf({ status, headers, body }: ForgeReply, now: number): Hindered | Refused | null {
  if (status === 401) {
    return {
      kind: "refused",
      reason: "the forge rejects this login (401)",
      hint: "Log in with `gh auth login`, or set GH_TOKEN to a valid token",
    };
  }
  if (status >= 500) return hindered("busy", now + 30_000, `status ${status}`);
  if (status !== 403 && status !== 429) return null;
  const after = Number(headers["retry-after"]);
  const reset = Number(headers["x-ratelimit-reset"]);
  const message = sayMessage(body);
  if (after > 0) return hindered("rate-limit", now + Math.min(after, longestPauseS) * 1000, message);
  if (headers["x-ratelimit-remaining"] === "0" && reset > 0) {
    const until = Math.min(reset * 1000, now + longestPauseS * 1000);
    return hindered("rate-limit", Math.max(until, now + 1000), message);
  }
  if (status === 429 || /rate limit|abuse detection/i.test(message))
    return hindered("rate-limit", now + 60_000, message);
  return null;
}

/** Maximum wait, in seconds: a forge's rate limit lasts an hour. */
const longestPauseS = 2 * 60 * 60;

export function sayMessage(body: string): string {
  const { message, errors } = (parseJson(body) ?? {}) as { message?: unknown; errors?: unknown };
  const more = Array.isArray(errors) ? errors.map((error) => (error as { message?: unknown } | null)?.message) : [];
  const texts = [message, ...more].filter((text): text is string => typeof text === "string");
  return texts.length > 0 ? texts.join(": ").slice(0, 500) : body.slice(0, 200);
}

function readData(reply: ForgeReply, now: number): Data | Hindered | Refused {
  const { data, errors } = (parseJson(reply.body) ?? {}) as { data?: unknown; errors?: unknown };
  const all = (Array.isArray(errors) ? errors : []) as { type?: unknown; message?: unknown }[];
  const detail =
    all
      .map(({ message }) => String(message))
      .join("; ")
      .slice(0, 500) || "an incomplete answer";
  const types = new Set(all.map(({ type }) => type));
  if (types.has("RATE_LIMITED")) {
    const reset = Number(reply.headers["x-ratelimit-reset"]) * 1000;
    const until = reset > now ? Math.min(reset, now + longestPauseS * 1000) : now + 60_000;
    return hindered("rate-limit", until, detail);
  }
  for (const [type, hint] of finalErrors) if (types.has(type)) return { kind: "refused", reason: detail, hint };
  if (reply.status === 403 || reply.status === 404) {
    return { kind: "refused", reason: sayMessage(reply.body), hint: noAccess };
  }
  return all.length === 0 && reply.status === 200 && isWhole(data)
    ? { kind: "data", data }
    : hindered("busy", now + 30_000, detail);
}

const isWhole = (data: unknown): boolean =>
  typeof data === "object" && data !== null && !Object.values(data).includes(null);

export const noAccess = "Check the repository's name and the token's rights; the repository may be private";

const finalErrors: readonly (readonly [string, string])[] = [
  ["NOT_FOUND", noAccess],
  ["FORBIDDEN", noAccess],
  ["INSUFFICIENT_SCOPES", "Give the token the scope `repo`: `gh auth refresh --scopes repo`"],
  ["UNPROCESSABLE", "Read the message of the forge, and change the pull request there"],
];
