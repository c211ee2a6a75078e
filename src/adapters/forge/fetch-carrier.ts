import { type Carrier, longestAnswer, requestTimeoutMs } from "./carrier.ts";

/**
 * Requests by `fetch` with a token. Where an answer leads elsewhere, as that of a log does, the token is not sent along.
 *
 * @param root Address of the interface, such as `https://api.github.com`.
 */
export const fetchCarrier =
  ({ root, token }: { readonly root: string; readonly token: string }): Carrier =>
  async ({ method, path, body }, signal) => {
    const address = rootOf(root, path);
    const either = AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]);
    try {
      const first = await fetch(`${address}/${path}`, {
        method,
        redirect: "manual",
        signal: either,
        headers: {
          accept: "application/vnd.github+json",
          authorization: `Bearer ${token}`,
          "user-agent": "fixpoint",
          "x-github-api-version": "2022-11-28",
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const elsewhere =
        first.status === 301 || first.status === 302 || first.status === 307 ? first.headers.get("location") : null;
      if (elsewhere !== null && method === "GET") await first.body?.cancel();
      const answer =
        elsewhere === null || method !== "GET"
          ? first
          : await fetch(new URL(elsewhere, `${address}/`), { signal: either, headers: { "user-agent": "fixpoint" } });
      const headers = Object.fromEntries(answer.headers.entries());
      return { kind: "reply", status: answer.status, headers, body: await endOf(answer) };
    } catch (error) {
      signal.throwIfAborted();
      return { kind: "offline", detail: sayCause(error) };
    }
  };

/** An enterprise host has its GraphQL beside the rest of its interface. */
const rootOf = (root: string, path: string): string => {
  const bare = root.replace(/(?<!\/)\/+$/, "");
  return path === "graphql" ? bare.replace(/\/api\/v3$/, "/api") : bare;
};

/** The end of a body, without more of it in memory. */
async function endOf(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    while (bytes - (chunks[0]?.length ?? 0) >= longestAnswer) bytes -= chunks.shift()?.length ?? 0;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function sayCause(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== "" ? `${message}: ${cause.message}` : message;
}
