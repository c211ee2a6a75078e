/** Programs that reach outside the workspace, or whose next run depends on what this run changed. */
const programs =
  /(?:^|[\s;&|(`])(?:gh|glab|curl|wget|ssh|scp|rsync|aws|gcloud|az|kubectl|helm|terraform|ansible|docker|podman|psql|mysql|redis-cli|heroku|vercel|netlify|flyctl|wrangler|systemctl|sudo)(?=\s)/;
const acts =
  /\b(?:git (?:push|pull|fetch|clone|commit|tag|merge|rebase|checkout|reset)|npm (?:publish|login)|(?:npm|pnpm|yarn) (?:run )?(?:deploy|release|publish|migrate|seed)\b|cargo publish|twine upload|(?:db:|\b)migrat(?:e|ion)\b|\bdeploy\b|\bpublish\b)/i;
const address = /\bhttps?:\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\])\b)/i;

/**
 * Whether a command reaches outside the workspace or changes state outside its files: a forge, registry, address or
 * database. Such a command is not run before the work, and not repeated for a second opinion.
 */
export const reachesOut = (command: string): boolean =>
  programs.test(command) || acts.test(command) || address.test(command);
