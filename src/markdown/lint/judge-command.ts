import { type Pipeline, readCommandList, type SimpleCommand } from "./read-command-list.ts";

/** Programs that start another program, with their options and the blank before that program. */
const launchers: readonly RegExp[] = [
  /^(?:npx|bunx|pnpx)(?: (?:-y|--yes|--no-install|--no))* /,
  /^(?:npm|pnpm|yarn|bun) (?:exec|dlx|x)(?: --)? /,
  /^(?:poetry|uv|pipenv|pdm) run /,
  /^bundle exec /,
  /^(?:env|nohup|exec|command|sudo|time|cross-env)(?: [A-Za-z_]\w*=\S*)* /,
  /^(?:python3?|py) -m /,
];

/** Arguments that make an otherwise endless command end, such as `--once`. */
const once =
  /(?:^| )(?:--(?:version|help|run|once|no-watch|watch=false|watchAll=false|passWithNoTests|exit-code-from\S*|abort-on-container-exit|detach|wait)|-[dV]|run|build|list|check|--(?:max-time|timeout)\S*)(?: |$)/;

/** Commands that run until they are stopped: watchers, servers, and commands that follow a log. */
const endless: readonly RegExp[] = [
  /^(?:npm|pnpm|yarn|bun) (?:run |run-script )?(?:start|dev|serve|watch|preview)(?::\S+)?(?: |$)/,
  /^(?:npm|pnpm|yarn|bun) run \S+:(?:watch|dev|serve)(?: |$)/,
  /^(?:npm|pnpm|yarn|bun) (?:t|test|run \S+) .*--watch(?:All)?(?: |$)/,
  /^(?:vite|vitest|nodemon|ts-node-dev|tsx watch|node --watch|webpack-dev-server|http-server|live-server|serve|browser-sync start)(?: |$)/,
  /^(?:vite|vitest|next|nuxt|astro|remix|gatsby|storybook|wrangler|expo|netlify|vercel|parcel) (?:dev|start|serve|preview|watch|develop)(?: |$)/,
  /^(?:ng|vue-cli-service|webpack|hugo|jekyll|mkdocs|php artisan|rails|ionic|trunk|dx) (?:serve|server|s)(?: |$)/,
  /^(?:jest|vitest|tsc|webpack|rollup|esbuild|ava|mocha|tailwindcss|sass|cypress|karma|babel|deno test|bun test|node)(?: .*)? (?:--watch(?:All)?|-w)(?: |$)/,
  /^docker(?:-compose| compose)(?: (?:-f|-p|--file|--profile|--env-file) \S+)* up(?: |$)/,
  /^(?:cypress open|playwright test .*--ui|karma start|cargo watch|air|watch|watchexec|chokidar|fswatch)(?: |$)/,
  /^(?:flask run|uvicorn|gunicorn|hypercorn|http\.server|celery|rails c|php -S|python3? manage\.py runserver|manage\.py runserver)(?: |$)/,
  /^(?:tail|journalctl|docker logs|docker(?:-compose| compose) logs|kubectl logs|stern|pm2 logs)(?: .*)? (?:-[a-zA-Z]*[fF]|--follow(?:=\S+)?)(?: |$)/,
  /^(?:kubectl port-forward|ngrok|yes|top|htop|sleep inf|ssh -N)/,
];

/** Commands that do not end even with an argument matched by `once`. */
const always =
  /^(?:tail|journalctl|kubectl|docker logs|docker(?:-compose| compose) logs|watch|watchexec|yes|top|php -S)/;

/** Find the first command of a script that never ends; null if every command may end. */
export function endlessCommand(script: string): string | null {
  for (const statement of readCommandList(script) ?? []) {
    for (const { commands } of statement) {
      // Commands such as `head` close the pipe early, which also ends an endless command before them.
      const last = commands.at(-1) as SimpleCommand;
      if (commands.length > 1 && /^(?:head|grep -m|grep -q|sed \S*q)/.test(last.words.join(" "))) continue;
      const found = commands.map(({ words }) => words.join(" ")).find(isEndless);
      if (found !== undefined) return found;
    }
  }
  return null;
}

function isEndless(written: string): boolean {
  const line = launchers.reduce((rest, form) => rest.replace(form, ""), written);
  const found = endless.map((form) => form.exec(line)?.[0]).find((start) => start !== undefined);
  return found !== undefined && (always.test(line) || !once.test(` ${line.slice(found.length)}`));
}

const searches = new Set(["grep", "egrep", "fgrep", "rg", "ag", "ack"]);
const listers = new Set(["cat", "find", "git", "ls", "tree"]);
/** Options with which a search counts, inverts, or lists files without a match; also in a group such as `-rnL`. */
const other = /^-[A-Za-z]{0,20}?[cvL]|^--(?:count|invert-match|files-without-match)/;

/** Statements that a search finds nothing, such as "no matches" or "returns nothing". */
const noResult =
  /\b(?:no|zero|0) (?:matches|results?|hits|occurrences|output|lines|references|usages|mentions)\b|\b(?:finds|returns|prints|outputs|shows) nothing\b|\b(?:empty|blank) output\b/i;
const before =
  /\b(?:no|without|remov(?:e|es|ed|ing)|delet(?:e|es|ed|ing)|drop(?:s|ped|ping)?|eliminat(?:e|es|ed|ing)|purg(?:e|es|ed|ing)|not (?:contain|mention|use|import|include|reference|have)|no longer \w{1,40})[^,\w][^,]{0,50}$/i;
const behind =
  /^[^,]*?\b(?:(?:is|are|was|were|be|been) (?:removed|deleted|dropped|gone|absent|eliminated|purged)|gone|absent|not found|no longer|nowhere|(?:must|should|does|do|is|are|may)(?:n't| not) (?:appear|exist|remain|occur|be (?:there|found|used)|used|found|present|there))\b/i;
const looked = 50;

/**
 * Find a search that passes if it finds something, although `about` says that it should find nothing. Null if unclear.
 *
 * @param about Texts of the task, and text around the command.
 */
export function invertedSearch(script: string, about: readonly string[]): string | null {
  const statements = readCommandList(script);
  const pipelines = statements?.flat() ?? [];
  if (pipelines.length !== 1) return null;
  const { commands, isNegated } = pipelines[0] as Pipeline;
  const { words } = commands.at(-1) as SimpleCommand;
  const [name = "", ...rest] = words[0] === "git" && words[1] === "grep" ? words.slice(1) : words;
  // Ignore a search in the output of a program that does not list files: a match there may be right.
  const isOfFiles = commands.length === 1 || listers.has((commands[0] as SimpleCommand).words[0] ?? "");
  if (isNegated || !isOfFiles || !searches.has(name) || rest.some((word) => other.test(word))) return null;
  const sought = soughtIn(rest);
  const says = (sentence: string): boolean => noResult.test(sentence) || (sought !== null && isGone(sought, sentence));
  return about.some((text) => sentencesOf(text).some(says)) ? words.join(" ") : null;
}

function isGone(sought: string, sentence: string): boolean {
  const at = sentence.toLowerCase().indexOf(sought);
  const end = at + sought.length;
  if (at === -1 || /\w/.test(sentence[end] ?? "")) return false;
  return before.test(sentence.slice(Math.max(0, at - looked), at)) || behind.test(sentence.slice(end, end + looked));
}

/**
 * Longest word of the search pattern, in lower case; null if every word is shorter than three characters or the pattern
 * says "no", "not" or "without".
 */
function soughtIn(words: readonly string[]): string | null {
  const at = words.findIndex((word) => word === "-e" || word === "--regexp");
  const pattern = at === -1 ? words.find((word) => !word.startsWith("-")) : words[at + 1];
  if (/\b(?:no|not|without)\b/i.test(pattern ?? "")) return null;
  const parts = (pattern ?? "").match(/[A-Za-z0-9]\w{2,}/g) ?? [];
  return parts.toSorted((one, another) => another.length - one.length)[0]?.toLowerCase() ?? null;
}

const sentencesOf = (text: string): string[] => text.split(/[.;!?](?:\s|$)|[\r\n]+|,? (?:and|but|while) /);

const runners = new Set(
  "pytest py.test jest vitest mocha ava bats rspec phpunit ctest tox nox nextest unittest tap karma".split(" "),
);
const managers = new Set(
  "npm pnpm yarn bun npx bunx uv poetry pipenv hatch bundle python python3 corepack dotenv".split(" "),
);
const tools = new Set("go cargo deno node dotnet mvn gradle gradlew mix swift make flutter dart sbt zig".split(" "));
const testWord = /^(?:test|tests|t|check|--test|test[:-][\w:-]+|unit|integrationTest)$/;
const looking = /^--(?:co|collect-only|no-run|list|listTests|list-tests|dry-run|help|version)$/;

/**
 * Whether a script exits with 0 only if its tests pass: all its commands must pass, and one is a test run without a
 * pipe.
 */
export function demandsPassingTests(script: string): boolean {
  const [statement, ...others] = readCommandList(script) ?? [];
  if (statement === undefined || others.length > 0) return false;
  if (statement.some(({ operator, isNegated }) => operator === "||" || isNegated)) return false;
  return statement.some(
    ({ commands: [first, ...piped] }) => piped.length === 0 && isTestRun((first as SimpleCommand).words),
  );
}

function isTestRun([program = "", ...rest]: readonly string[]): boolean {
  if (rest.some((word) => looking.test(word))) return false;
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (runners.has(name)) return true;
  const [first = "", second = ""] = rest.filter((word) => !word.startsWith("-") || word === "--test");
  if (tools.has(name)) return testWord.test(first) && first !== "check";
  if (!managers.has(name)) return false;
  return (
    testWord.test(first) ||
    runners.has(first) ||
    (["run", "exec", "dlx", "x"].includes(first) && (testWord.test(second) || runners.has(second)))
  );
}

const programName = /^[\w+.@-]+$/;
const ownPath = /\bPATH=/;

/**
 * Find the first program of a script, skipping `cd <folder> &&`. Null if it is unclear or has a path: a task may create
 * a program at a path.
 */
export function firstProgram(script: string): string | null {
  const [statement = []] = readCommandList(script) ?? [];
  const index = statement.findIndex(({ commands }) => firstWord(commands) !== "cd");
  const pipeline = statement[index];
  if (pipeline === undefined || pipeline.operator === "||" || ownPath.test(script)) return null;
  const name = firstWord(pipeline.commands);
  return name !== undefined && programName.test(name) && /[A-Za-z]/.test(name) ? name : null;
}

const firstWord = ([first]: readonly SimpleCommand[]): string | undefined => (first as SimpleCommand).words[0];
