import { readCommandList, type SimpleCommand } from "./read-command-list.ts";

/** Programs that start the one behind them, with the words that come before it. */
const launchers: readonly RegExp[] = [
  /^(?:npx|bunx|pnpx)(?: (?:-y|--yes|--no-install|--no))* /,
  /^(?:npm|pnpm|yarn|bun) (?:exec|dlx|x)(?: --)? /,
  /^(?:poetry|uv|pipenv|pdm) run /,
  /^bundle exec /,
  /^(?:env|nohup|exec|command|sudo|time|cross-env)(?: [A-Za-z_]\w*=\S*)* /,
  /^(?:python3?|py) -m /,
];

/** What ends by itself in spite of its name. */
const once =
  /(?:^| )(?:--(?:version|help|run|once|no-watch|watch=false|watchAll=false|passWithNoTests|exit-code-from\S*|abort-on-container-exit|detach|wait)|-[dV]|run|build|list|check|--(?:max-time|timeout)\S*)(?: |$)/;

/** Commands that watch, serve or follow until somebody ends them. */
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

/** Those that one of the words above does not end. */
const always =
  /^(?:tail|journalctl|kubectl|docker logs|docker(?:-compose| compose) logs|watch|watchexec|yes|top|php -S)/;

/** The command of a script that never ends by itself, as it is written; null when none is known to. */
export function endlessCommand(script: string): string | null {
  for (const statement of readCommandList(script) ?? []) {
    for (const { commands } of statement) {
      // A reader that has enough ends what writes to it.
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
