import type { RepositoryName } from "./fetch-look.ts";

/** Where a repository is on a forge. */
export interface ForgeAddress extends RepositoryName {
  readonly host: string;
}

/**
 * The repository that an address of a remote names: `https://github.com/ann/shop.git`, `git@github.com:ann/shop`,
 * `ssh://git@github.com:22/ann/shop`; null for any other, such as a path.
 */
export function readRemoteAddress(url: string): ForgeAddress | null {
  const { host, path } = (addressForm.exec(url) ?? shortForm.exec(url))?.groups ?? {};
  const { owner, name } =
    /^(?<owner>[\w.-]{1,100})\/(?<name>[\w.-]{1,100}?)(?:\.git)?\/?$/.exec(path ?? "")?.groups ?? {};
  if (host === undefined || owner === undefined || name === undefined) return null;
  return { host: host.toLowerCase(), owner, name };
}

const addressForm =
  /^(?:https?|ssh|git):\/\/(?:[^@/\s]{1,500}@)?(?<host>[\w.-]{1,200})(?::\d{1,5})?\/(?<path>.{1,300})$/;
/** As of ssh, without a scheme. */
const shortForm = /^(?:[\w.-]{1,100}@)?(?<host>[\w-]{1,100}\.[\w.-]{1,100}):(?<path>[^/].{1,300})$/;

/** `ann/shop` or `github.com/ann/shop`, as `GH_REPO` has it; null for anything else. */
export function readRepositoryName(text: string): ForgeAddress | null {
  const {
    host = "github.com",
    owner,
    name,
  } = /^(?:(?<host>[\w.-]{1,200})\/)?(?<owner>[\w.-]{1,100})\/(?<name>[\w.-]{1,100})$/.exec(text)?.groups ?? {};
  return owner === undefined || name === undefined ? null : { host, owner, name };
}
