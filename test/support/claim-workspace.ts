/**
 * Claims a workspace on the message `claim`, and releases it on any other message.
 *
 * Arguments: folder of the claims, and the spec.
 */
import { takeWorkspaceLease } from "../../src/adapters/lease/spec-lease.ts";

const [folder = "", spec = ""] = process.argv.slice(2);
let letGo: (() => void) | undefined;
process.on("message", (word) => {
  if (word === "claim") {
    const lease = takeWorkspaceLease(folder, { spec, shared: false });
    letGo = "release" in lease ? lease.release : undefined;
    process.send?.({ won: letGo !== undefined });
  } else {
    letGo?.();
    process.send?.({});
  }
});
process.send?.({});
