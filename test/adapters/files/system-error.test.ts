import { constants } from "node:os";
import { describe, expect, it } from "vitest";
import { systemError } from "../../../src/adapters/files/refused.ts";

const { EDQUOT, ENOSPC } = constants.errno;
const unnamed = `Unknown system error -${EDQUOT}`;

describe("systemError", () => {
  it.each([
    [ENOSPC, "ENOSPC", "ENOSPC: no space left on device, write", "ENOSPC: no space left on device, write"],
    [EDQUOT, unnamed, `${unnamed}: ${unnamed}, write`, `EDQUOT: ${unnamed}, write`],
    [EDQUOT, "UNKNOWN", "UNKNOWN: unknown error, write", "EDQUOT: unknown error, write"],
    [99_999, "UNKNOWN", "UNKNOWN: unknown error, write", "UNKNOWN: unknown error, write"],
  ])("names the errno %i, of which Node says `%s`", (errno, code, message, told) => {
    expect(systemError(Object.assign(new Error(message), { code, errno: -errno }))).toBe(told);
  });

  it("tells what was thrown that the system did not say", () => {
    expect([systemError(new Error("it")), systemError("it")]).toEqual(["it", "it"]);
  });
});
