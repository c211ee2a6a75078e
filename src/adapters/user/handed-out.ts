import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import { interpreted } from "../../model/interpreted.ts";
import { Role } from "../../model/role.ts";
import { readRegular } from "../files/own-file.ts";
import { refused } from "../files/refused.ts";
import { writeAtomic } from "../files/write-atomic.ts";
import { bootId, type ProcessIdentity } from "../processes/process-identity.ts";

/** Handed-out work. */
export const HandedWork = z.object({
  /** The nonce that its report must carry. Only the worker may know it. */
  nonce: z.string(),
  /** `<task id>#<attempt>`, with `/review` or `/askOperator` if it is no attempt. */
  key: z.string(),
  role: Role,
  task: z.object({ id: z.string(), title: z.string() }),
  prompt: z.string(),
  /** Absolute folder to work in. */
  workspace: z.string(),
});
export type HandedWork = z.infer<typeof HandedWork>;

const Kept = z.object({
  open: z.array(HandedWork),
  /** Processes that took work, each with the boot id of the machine. */
  takers: z.array(z.object({ pid: z.int(), pidStart: z.string().nullable(), boot: z.string().nullable() })).default([]),
  /** Nonces whose holders were reminded to report. */
  reminded: z.array(z.string()).default([]),
  /** The last reported ones. */
  over: z.array(z.object({ nonce: z.string(), key: z.string() })),
});

/** Maximum number of remembered processes that took work. */
const mostTakers = 20;
/** Maximum number of remembered reported nonces. */
const mostOver = 200;

/** Handed-out work of a spec, in the user's folder: the journal only has hashes of nonces. */
export interface HandedOutFile {
  /** Open work, by the hash of its nonce. */
  find(hash: string): HandedWork | null;
  /** The key of a nonce, and whether it was reported; null for an unknown nonce. */
  given(nonce: string): { readonly key: string; readonly isReported: boolean } | null;
  /** The nonce of a key with this hash, else a new one. */
  nonceOf(key: string, hash: string | null): string;
  /** Store handed-out work. @param taker The process that takes it; null if unknown. */
  keep(work: HandedWork, taker: ProcessIdentity | null): void;
  /** Processes that took work since boot. */
  takers(): readonly ProcessIdentity[];
  /** Note that the work was reported. */
  close(key: string): void;
  /** Whether the holder was reminded to report; notes the reminder if not. */
  isReminded(nonce: string): boolean;
  remind(nonce: string): void;
}

/** SHA-256 (hex) of a nonce, as the journal stores it. */
export const hashOfNonce = (nonce: string): string => createHash("sha256").update(nonce).digest("hex");

/**
 * @param folder The user's folder for the spec.
 * @throws {EnvironmentError} `file-refused` on a write
 */
export function handedOutFile(folder: string): HandedOutFile {
  const path = join(folder, "handed-out.json");
  const made = new Map<string, string>();
  const read = (): z.infer<typeof Kept> => {
    try {
      return Kept.parse(JSON.parse(readRegular(path)?.toString("utf8") ?? ""), interpreted);
    } catch {
      // If the file is lost, holders get new nonces.
      return { open: [], takers: [], reminded: [], over: [] };
    }
  };
  const write = (kept: z.infer<typeof Kept>): void =>
    refused("write", path, () =>
      writeAtomic(path, JSON.stringify(kept), {
        temporary: `${path}.${process.pid}.tmp`,
        durable: false,
        mode: 0o600,
      }),
    );
  const find = (hash: string): HandedWork | null =>
    read().open.find(({ nonce }) => hashOfNonce(nonce) === hash) ?? null;
  return {
    find,
    given: (nonce) => {
      const { open, over } = read();
      const of = (each: { readonly nonce: string }): boolean => each.nonce === nonce;
      const found = open.find(of) ?? over.find(of);
      return found === undefined ? null : { key: found.key, isReported: over.some(of) };
    },
    nonceOf: (key, hash) => {
      const known = made.get(key) ?? (hash === null ? undefined : find(hash)?.nonce);
      const nonce = known ?? randomBytes(8).toString("hex");
      made.set(key, nonce);
      return nonce;
    },
    keep: (work, taker) => {
      const { open, takers, ...kept } = read();
      const others = takers.filter((each) => each.pid !== taker?.pid);
      const now = taker === null ? takers : [...others, { ...taker, boot: bootId() }].slice(-mostTakers);
      write({ ...kept, takers: now, open: [...open.filter(({ key }) => key !== work.key), work] });
    },
    takers: () => read().takers.filter(({ boot }) => boot === bootId()),
    close: (key) => {
      const { open, reminded, over, takers } = read();
      const closed = open.filter((each) => each.key === key).map(({ nonce }) => ({ nonce, key }));
      const left = open.filter((each) => each.key !== key);
      write({
        takers,
        open: left,
        reminded: reminded.filter((each) => left.some(({ nonce }) => nonce === each)),
        over: [...over, ...closed].slice(-mostOver),
      });
    },
    isReminded: (nonce) => read().reminded.includes(nonce),
    remind: (nonce) => {
      const kept = read();
      write({ ...kept, reminded: [...kept.reminded, nonce] });
    },
  };
}
