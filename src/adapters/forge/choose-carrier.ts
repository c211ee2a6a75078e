import type { Refused } from "../../ports/forge.ts";
import { findCommand } from "../processes/find-command.ts";
import type { Environment } from "../processes/run-command.ts";
import type { Carrier } from "./carrier.ts";
import { fetchCarrier } from "./fetch-carrier.ts";
import { ghCarrier } from "./gh-carrier.ts";

/** Variables with which a forge is reached; no executor is given them where a pull request is made. */
export const forgeVariables = ["GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"] as const;

/**
 * How a host is reached: by `gh`, where it is installed, else by a token of the environment. Where GITHUB_API_URL says
 * where the API is, a token goes before `gh`, which does not heed that.
 */
export function chooseCarrier({
  cwd,
  env,
  host,
}: {
  readonly cwd: string;
  readonly env: Environment;
  readonly host: string;
}): Carrier | Refused {
  const names = host === "github.com" ? forgeVariables : forgeVariables.toReversed();
  const token = names.map((name) => env[name]).find((value) => value !== undefined && value !== "");
  const root = env["GITHUB_API_URL"];
  if (token !== undefined && root !== undefined) return fetchCarrier({ root, token });
  if (findCommand("gh", cwd, env["PATH"]) !== null) return ghCarrier({ cwd, env, host });
  if (token === undefined) {
    return {
      kind: "refused",
      reason: "there is no `gh`, and no token in GH_TOKEN or GITHUB_TOKEN",
      hint: "Install gh and log in with `gh auth login`, or set GH_TOKEN",
    };
  }
  return fetchCarrier({ root: rootOf(host), token });
}

const rootOf = (host: string): string => (host === "github.com" ? "https://api.github.com" : `https://${host}/api/v3`);
