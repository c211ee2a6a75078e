import type { Refused } from "../../ports/forge.ts";

/** One request of the interface of a forge. */
export interface ForgeCall {
  readonly method: "GET" | "POST";
  /** Below the root of the interface, without a slash at its begin: `graphql`, `repos/ann/shop/pulls`. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface ForgeReply {
  readonly kind: "reply";
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Takes requests to a forge under the login of its user. Throws only when the signal is aborted. */
export type Carrier = (
  call: ForgeCall,
  signal: AbortSignal,
) => Promise<ForgeReply | { readonly kind: "offline"; readonly detail: string } | Refused>;

/** Bytes of an answer that are read; of a longer log its end. */
export const longestAnswer = 64 * 1024 * 1024;
/** How long one request may take. */
export const requestTimeoutMs = 60_000;
