import { isChecking, kindOf, type Task } from "../model/task.ts";

/** Matches commands that pass if something fails. */
const passesOnFailure =
  /^\s*!\s|\bgrep\b[^|;&]{0,80}?(?<!\b0 )\b(?:FAIL|FAILED|fails?|failed|errors?|not ok)\b|\bnot ok\b|&&\s*exit 1|;\s*test \$\? -ne 0/;
/** Whether a command passes if something fails. */
export const turnsFailures = (command: string): boolean => passesOnFailure.test(command);
const isPath = /^[\w@.-]+\/[\w@]|^[\w@-][\w@.-]*\.[A-Za-z]\w{0,5}$/;
const readsHistory = /\bgit (?:log|show|rev-parse|describe|diff|status|blame)\b/;

/**
 * Whether a command that proved a task should still pass at the end of the run. False if the task's purpose is to check
 * or to fail, or if the command passes on a failure, reads history or reaches outside. Also false if the command names
 * a file that a later task names, too: that task was meant to change the file.
 *
 * @param later Tasks accepted afterwards.
 */
export function mayRecheck(task: Task, command: string, later: readonly Task[]): boolean {
  if (kindOf(task) === "red" || isChecking(task) || turnsFailures(command) || readsHistory.test(command)) return false;
  if (reachesOut(command)) return false;
  const files = command.split(/[^\w@./-]+/).filter((word) => isPath.test(word));
  const texts = later.map(({ title, fields }) => [title, fields.do, fields.files].join("\n"));
  return !files.some((file) => texts.some((text) => text.includes(file)));
}

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
