import type { Environment } from "./run-command.ts";

/** The variables that hold no secret: neither their name nor an address in them looks like it. */
export const scrubEnvironment = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name, value]) => !isSecret(name, value)));

/**
 * Whether a variable holds what nobody else should see: by its name, or as the address of a service with the key to it,
 * such as `DATABASE_URL`. An address of a proxy is none, without which a command reaches nothing.
 */
export const isSecret = (name: string, value = ""): boolean =>
  isSecretName(name) || (addressName.test(name) && credentialsIn(value) !== null);

/** Whether what goes by that name is a secret. */
export const isSecretName = (name: string): boolean => secretWord.test(name) || secretEnding.test(name);

/** The password in an address, or the user where that is all; null without one. */
export const credentialsIn = (address: string): string | null => {
  const { user, password } = /^[\w+.-]{1,40}:\/\/(?<user>[^\s/:@]{0,200})(?::(?<password>[^\s/@]{1,400}))?@/.exec(
    address,
  )?.groups ?? { user: "" };
  return password ?? (user || null);
};

/** Wherever it stands in a name. `TOKENIZERS_PARALLELISM` is none. */
const secretWord = /TOKEN_|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY/i;

/**
 * At the end of a name, a number or an encoding behind it left aside. `MAX_TOKENS`, `PWD`, `SSH_AUTH_SOCK` and
 * `COMPASS` are none.
 */
const secretEnding =
  /(?:TOKEN|^TOKENS|(?:API|AUTH|ACCESS|REFRESH)_TOKENS|JWT|DSN|COOKIES?|SSHPASS|_PWD|(?:^|_)PASS|(?:^|_)AUTH|_KEY|_PAT|_SK)(?:_?\d{1,4}|_B64|_BASE64)?$/i;

const addressName = /(?:^|_)UR[IL]S?(?:_?\d{1,4})?$/i;
