import type { Environment } from "./run-command.ts";

/** The variables whose names do not look like a secret's. Values are not looked at. */
export const scrubEnvironment = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !isSecretName(name)));

/** Whether a variable of that name holds what nobody else should see. */
export const isSecretName = (name: string): boolean => secretName.test(name);

/** `MAX_TOKENS`, `TOKENIZERS_PARALLELISM`, `PWD` and `SSH_AUTH_SOCK` are none. */
const secretName =
  /TOKEN$|TOKEN_|SECRET|PASSWORD|PASSWD|PASSPHRASE|_PWD$|_PASS$|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|_KEY$|_AUTH$/i;
