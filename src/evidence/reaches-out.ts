/** Programs whose runs reach outside the workspace, or change something there that a second run finds changed. */
const programs =
  /(?:^|[\s;&|(`])(?:gh|glab|curl|wget|ssh|scp|rsync|aws|gcloud|az|kubectl|helm|terraform|ansible|docker|podman|psql|mysql|redis-cli|heroku|vercel|netlify|flyctl|wrangler|systemctl|sudo)(?=\s)/;
const acts =
  /\b(?:git (?:push|pull|fetch|clone|commit|tag|merge|rebase|checkout|reset)|npm (?:publish|login)|(?:npm|pnpm|yarn) (?:run )?(?:deploy|release|publish|migrate|seed)\b|cargo publish|twine upload|(?:db:|\b)migrat(?:e|ion)\b|\bdeploy\b|\bpublish\b)/i;
const address = /\bhttps?:\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\])\b)/i;

/**
 * Whether a command reaches outside the workspace, or changes a state that is not in its files: a forge, a registry, an
 * address, a database. It is not run before the work, nor once more for a second opinion.
 */
export const reachesOut = (command: string): boolean =>
  programs.test(command) || acts.test(command) || address.test(command);
