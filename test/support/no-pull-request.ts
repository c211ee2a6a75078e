import type { Performers } from "../../src/effects/performers.ts";
import { shippingEffects } from "../../src/model/shipping-effects.ts";

/** Effects of a pull request, where none is made. */
export const noPullRequest = Object.fromEntries(
  Object.keys(shippingEffects).map((name) => [
    name,
    () => {
      throw new Error(`Nobody answers ${name}`);
    },
  ]),
) as unknown as Pick<Performers, keyof typeof shippingEffects>;
