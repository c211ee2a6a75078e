import { expect, it } from "vitest";
import { describeCheckout } from "../../src/model/checkout.ts";

it.each([
  [null, "no repository"],
  [{ root: "/w", branch: "main", head: null }, "branch `main` of `/w`"],
  [{ root: "/w", branch: null, head: "0123456789abcdef" }, "a detached HEAD at 0123456789ab of `/w`"],
])("describeCheckout says of %j: %s", (checkout, said) => expect(describeCheckout(checkout)).toBe(said));
