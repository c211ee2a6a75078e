import { InputError } from "../../model/errors.ts";
import type { Question } from "../../model/person-event.ts";
import type { Branch } from "../../ports/branch.ts";
import type { Forge, Hindered, Refused } from "../../ports/forge.ts";
import type { WholePorts } from "../with-memory.ts";

/** Ports with forge and branch. */
export type ShippingPorts = WholePorts & { readonly forge: Forge; readonly branch: Branch };

/**
 * Require the ports of a pull request.
 *
 * @throws {InputError} `port-missing`
 */
export function shipping(ports: WholePorts): ShippingPorts {
  const { forge, branch } = ports;
  if (forge !== undefined && branch !== undefined) return { ...ports, forge, branch };
  throw new InputError("Cannot make a pull request without the ports forge and branch, expected both", {
    code: "port-missing",
    hint: "docs/pull-requests.md describes both",
  });
}

/** The answer to a chart if an outside service fails. A refusal becomes a question for a person. */
export const asAnswer = (other: Hindered | Refused): Hindered | Question =>
  other.kind === "hindered" ? other : ask(other.reason, other.hint);

export const ask = (reason: string, hint: string): Question => ({ kind: "gate", reason, hint });
