import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { readStatus } from "fixpoint/node";
import { type End, type Launched, launch } from "../support/cli.ts";
import { call } from "../support/cli-here.ts";
import { lastingFolder, writeExecutor } from "../support/project.ts";
import { until } from "../support/until.ts";
import { steady } from "./steady.ts";

export interface Story {
  readonly name: string;
  readonly plan?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Scripts for sh by delegation key or task. Default: creates `made/<task>` and claims the task. */
  readonly does?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  /** Sorts the lines, because parallel work prints them in any order. */
  readonly sorted?: true;
  /** Executes each command as a separate process, which takes ten times as long. */
  readonly program?: true;
  readonly env?: Readonly<Record<string, string>>;
}

export type Step =
  /** Arguments of `fixpoint`. Single quotes enclose one argument; `> file` redirects the output. */
  | string
  | { readonly act: string; readonly by: (workspace: string) => void }
  | {
      readonly start: string;
      readonly at: string;
      readonly meanwhile: readonly Step[];
      readonly env?: NodeJS.ProcessEnv;
    }
  | { readonly signal: NodeJS.Signals }
  | { readonly awaits: string; readonly text: string };

export const run = (words = ""): string => `run spec --exec ./executor.sh --yes ${words}`.trimEnd();
export const again = (words = ""): string => `run spec ${words}`.trimEnd();

export const task = (id: string, title = `Make ${id}`, verify = `test -e made/${id.replace(/ .*/, "")}`): string =>
  `- [ ] ${id} ${title}\n  - **Do**: Make it\n  - **Files**: \`made/${id.replace(/ .*/, "")}\`\n  - **Done when**: It is there\n  - **Verify**: \`${verify}\`\n  - **Commit**: \`feat: make ${id.replace(/ .*/, "")}\`\n`;
export const planOf = (...tasks: readonly string[]): string => `# Tasks\n\n## Phase 1: Work\n\n${tasks.join("\n")}`;
export const two = planOf(task("1.1"), task("1.2"));

export const edit = (path: string, from: string, to: string): Step => ({
  act: `in ${path}: ${JSON.stringify(from)} becomes ${JSON.stringify(to)}`,
  by: (workspace) => {
    const before = readFileSync(join(workspace, path), "utf8");
    if (!before.includes(from)) throw new Error(`Cannot edit \`${path}\`, expected ${from}`);
    writeFileSync(
      join(workspace, path),
      before.replace(from, () => to),
    );
  },
});
export const write = (path: string, text = "") => ({
  act: `write ${path}`,
  by: (workspace: string): void => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  },
});
export const remove = (path: string): Step => ({
  act: `remove ${path}`,
  by: (workspace) => rmSync(join(workspace, path), { recursive: true }),
});

const scriptOf = (does: NonNullable<Story["does"]>): string =>
  [
    'made() { [ "$FIXPOINT_ROLE" = verifier ] && echo VERIFICATION_PASS || echo TASK_COMPLETE; }',
    // A fix also creates the file that the Verify of its root task requires.
    'work() { mkdir -p made; touch "made/$id"; case "$id" in *.*.*) touch "made/$(echo "$id" | cut -d. -f1,2)" ;; esac; made; }',
    'told() { printf \'%s\' "$prompt" | grep -q "$1" && echo "$FIXPOINT_KEY was told: $1" >> told.log; true; }',
    'wait_for() { until [ -e "$1" ]; do sleep 0.02; done; }',
    'mend() { mkdir -p made; touch "made/$1"; made; }',
    'case "$FIXPOINT_KEY" in',
    ...Object.entries(does).map(
      ([key, act]) => `${key.includes("#") ? `'${key}'` : `'${key}#'*`})\n${act === "" ? ":" : act}\n;;`,
    ),
    "*/review) echo REVIEW_PASS ;;",
    "*) work ;;",
    "esac",
  ].join("\n");

const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

export async function tell(
  story: Story,
  whole = story.program === true,
): Promise<{ readonly transcript: string; readonly printed: string }> {
  const workspace = lastingFolder();
  const texts = { ...(story.plan !== undefined && { "spec/tasks.md": story.plan }), ...story.files };
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  writeExecutor(workspace, scriptOf(story.does ?? {}));

  const transcript: string[] = [];
  const printed: string[] = [];
  let told = 0;
  let stood = "";
  const delegated = (): string[] => {
    const all = linesOf(join(workspace, "delegations.log"));
    const more = all.slice(told);
    told = all.length;
    return story.sorted ? more.sort() : more;
  };
  const tellEnd = async (line: string, { exitCode, signal, out, err }: End, isAlone = true): Promise<void> => {
    const [, target] = line.split(" > ");
    if (target !== undefined) writeFileSync(join(workspace, target), out);
    transcript.push(`$ fixpoint ${line}`, signal === null ? `exit ${exitCode}` : `ended by ${signal}`);
    // Omits the state during another command, because timing would decide the state.
    if (isAlone) {
      const keys = delegated();
      if (keys.length > 0) transcript.push(`delegated ${keys.join(", ")}`);
      const stands = standing(workspace).join("\n");
      if (stands !== stood) transcript.push(stands);
      stood = stands;
    }
    transcript.push("");
    const shown = target === undefined ? out : `(kept in ${target})\n`;
    printed.push(`$ fixpoint ${line}`, lines(shown), ...(err === "" ? [] : ["[stderr]", lines(err)]));
  };
  const lines = (text: string): string =>
    story.sorted ? `${text.trimEnd().split("\n").sort().join("\n")}\n` : text.endsWith("\n") ? text : `${text}\n`;
  const wordsIn = (line: string): string[] => wordsOf(line.split(" > ")[0] ?? "");
  const begin = (line: string, env: NodeJS.ProcessEnv = {}): Launched =>
    launch(workspace, wordsIn(line), { ...surroundings, ...story.env, ...env });
  const carryOut = (line: string): Promise<End> => (whole ? begin(line).end : call({ workspace }, ...wordsIn(line)));
  const take = async (step: Step, current?: Launched): Promise<void> => {
    if (typeof step === "string")
      await tellEnd(step, await (current === undefined ? carryOut(step) : begin(step).end), current === undefined);
    else if ("act" in step) {
      step.by(workspace);
      transcript.push(`# ${step.act}`, "");
    } else if ("signal" in step) {
      current?.child.kill(step.signal);
      transcript.push(`# ${step.signal}`, "");
    } else if ("awaits" in step) {
      const path = join(workspace, step.awaits);
      await until(() => existsSync(path) && readFileSync(path, "utf8").includes(step.text));
    } else {
      const launched = begin(step.start, step.env);
      const gone = launched.end.then(() => true);
      await untilThere(join(workspace, step.at), gone);
      transcript.push(`# begun, and ${step.at} is there: fixpoint ${step.start}`, "");
      for (const inner of step.meanwhile) await take(inner, launched);
      await tellEnd(step.start, await launched.end);
    }
  };
  for (const step of story.steps) await take(step);

  for (const path of promised(workspace)) transcript.push(`-- ${path}`, shown(join(workspace, path)));
  transcript.push(`-- other files`, ...others(workspace), "");
  const normal = steady(workspace);
  return { transcript: normal(transcript.join("\n")), printed: normal(printed.join("\n")) };
}

const surroundings: NodeJS.ProcessEnv = {
  ...{ LC_ALL: "C", NO_COLOR: "1", CI: "", TZ: "UTC", COLUMNS: "80" },
  ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  ...{ GIT_AUTHOR_NAME: "Ann", GIT_AUTHOR_EMAIL: "ann@example.org" },
  ...{ GIT_COMMITTER_NAME: "Ann", GIT_COMMITTER_EMAIL: "ann@example.org" },
};

const linesOf = (path: string): string[] =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];

async function untilThere(path: string, gone: Promise<boolean>): Promise<void> {
  let ended = false;
  void gone.then(() => {
    ended = true;
  });
  await until(() => existsSync(path) || ended);
  if (!existsSync(path)) throw new Error(`Cannot continue the story, expected \`${path}\` before the command ended`);
}

function standing(workspace: string): string[] {
  const specs = filesBelow(workspace).filter((path) => /(^|\/)tasks\.md$/.test(path));
  return specs.flatMap((path) => {
    const name = dirname(path);
    try {
      const { outcome, killed, paused, question, tasks } = readStatus(join(workspace, name));
      const signs = [outcome ?? "no end", ...(killed ? ["killed"] : []), ...(paused ? ["paused"] : [])];
      const whole = [...signs, ...(question === null ? [] : ["asks a person"])].join(", ");
      const rows = tasks.map(({ id, state, attempts, level }) =>
        [`  ${id} ${state}`, ...(attempts > 0 ? [attempts] : []), ...(level === "normal" ? [] : [level])].join(" "),
      );
      return [`${name}: ${whole}`, ...rows];
    } catch (error) {
      return [`${name}: ${(error as { code?: string }).code}`];
    }
  });
}

const promised = (workspace: string): string[] =>
  filesBelow(workspace).filter((path) =>
    path.includes(".fixpoint/") ? /stuck-report-\d+\.md$/.test(path) : /(^|\/)(specs?|told\.log)(\/|$)/.test(path),
  );

const others = (workspace: string): string[] =>
  filesBelow(workspace).filter(
    (path) =>
      !promised(workspace).includes(path) &&
      !/(^|\/)(\.fixpoint|\.git)\//.test(path) &&
      !["executor.sh", "delegations.log"].includes(path),
  );

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(resolve(folder, path), { throwIfNoEntry: false })?.isFile())
    .map((path) => relative(folder, resolve(folder, path)))
    .sort();

function shown(path: string): string {
  const text = readFileSync(path, "utf8")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the transcript shows them
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return text.endsWith("\n") || text === "" ? text : `${text}\n\\ no newline at the end\n`;
}
