import { cpSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { findSpec } from "../../src/hosts/node/find-spec.ts";
import { readStatus } from "../../src/hosts/node/reading/read-status.ts";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import { findWatched } from "../../src/hosts/node/watch/find-watched.ts";
import { rowOf } from "../../src/hosts/node/watch/look-at-row.ts";
import { servePage } from "../../src/hosts/node/watch/serve-page.ts";
import { tableRoom } from "../../src/hosts/node/watch/table-room.ts";
import type { MoreRows } from "../../src/model/run-row.ts";
import { askingRun } from "../support/asking-run.ts";
import { atWork, launch } from "../support/cli.ts";
import { call } from "../support/cli-here.ts";
import { temporaryFolder } from "../support/folder.ts";
import { journals } from "../support/journals/alter-journal.ts";
import { type Project, projectWith, works } from "../support/project.ts";
import { journalPath } from "../support/traces.ts";
import { until } from "../support/until.ts";

const plan = "- [x] 1.1 First\n- [ ] 1.2 Second\n- [ ] 1.3 [FIX 1.2] Mend it\n";
const untilGo = "touch started; until [ -e go ]; do sleep 0.05; done";
const go = ({ workspace }: Project): void => writeFileSync(join(workspace, "go"), "");

/** A spec in a folder. */
function specAt(folder: string, name: string, text = plan): string {
  const spec = join(folder, name);
  mkdirSync(spec, { recursive: true });
  writeFileSync(join(spec, "tasks.md"), text);
  return spec;
}

/** A table of the specs of a folder, and what asks its server for rows. */
async function tableOf(folder: string) {
  const watched = findWatched(folder, folder);
  if (!("specs" in watched)) throw new Error(`Cannot watch ${folder} as a table, it is a spec`);
  const page = await servePage(watched.specs[0] ?? "", tableRoom(watched));
  onTestFinished(() => page.close());
  const token = /token=([\w-]+)/.exec(readFileSync(page.path, "utf8"))?.[1] ?? "";
  const ask = async (path: string): Promise<Response> =>
    await fetch(new URL(path, page.address), { headers: { Authorization: `Bearer ${token}` } });
  const rows = async (seen: number): Promise<MoreRows> => (await (await ask(`rows?seen=${seen}`)).json()) as MoreRows;
  const allRows = async (): Promise<MoreRows> => {
    let more = await rows(0);
    while (!more.isWhole) more = await rows(0);
    return more;
  };
  return { ask, rows, allRows };
}

describe("how a spec stands in a table of runs", () => {
  it.each(readdirSync(journals))("is what its status says: %s", (name) => {
    const spec = specAt(temporaryFolder(), "spec");
    cpSync(join(journals, name), join(spec, ".fixpoint", "run-1"), { recursive: true });
    const { spent, outcome, killed } = readStatus(spec);
    expect(rowOf(spec)()).toMatchObject({
      state: outcome ?? (killed ? "killed" : "interrupted"),
      ...{ costUsd: spent.costUsd, tokens: spent.tokens },
      // Fixes are not counted.
      ...{ done: 1, of: 2, tasks: [], problem: null },
    });
  });

  it("says what is under way and whose move it is", async () => {
    const project = projectWith({ script: `${untilGo}; ${works}` });
    const row = rowOf(project.spec);
    const state = (): string => row().state;
    expect(row()).toMatchObject({ state: "new", done: 0, of: 2, at: null });
    const { end, child } = await atWork(project);
    expect(row()).toMatchObject({ state: "working", tasks: ["1.1"] });
    expect(row()).toBe(row());
    await call(project, "pause", project.spec);
    expect(state()).toBe("paused");
    await call(project, "resume", project.spec);
    expect(state()).toBe("working");
    child.kill("SIGKILL");
    await end;
    // Nothing was written: it is told from the process alone.
    expect(state()).toBe("killed");
    go(project);
    expect((await launch(project.workspace, ["run", project.spec, "--exec", "./executor.sh"]).end).exitCode).toBe(0);
    expect(row()).toMatchObject({ state: "complete", done: 2, of: 2, tasks: [] });
  });

  it("says which task a person is asked about", async () => {
    const { project, stop, ended } = await askingRun("- [ ] 1.1 First\n");
    expect(rowOf(project.spec)()).toMatchObject({ state: "asking", tasks: ["1.1"] });
    stop.abort();
    await ended;
  });

  it("is read without the records that a snapshot stands for", async () => {
    const tasks = Array.from({ length: 450 }, (_, index) => `- [ ] 1.${index + 1} Task\n`).join("");
    const project = projectWith({ plan: tasks });
    await runSpec({
      ...{
        spec: project.spec,
        workspace: project.workspace,
        policy: { trustExecutor: true, maxGlobalIterations: 500 },
      },
      executors: {
        executor: async () => ({ text: "TASK_COMPLETE\n", usage: { inputTokens: 1, outputTokens: 1 } }),
      },
    });
    const path = journalPath(project);
    const whole = readFileSync(path);
    // Behind the header, far before the end: whoever reads it refuses it.
    whole.fill("x", 20_000, 21_000);
    writeFileSync(path, whole);
    expect(() => readStatus(project.spec)).toThrow("to be whole");
    expect(rowOf(project.spec)()).toMatchObject({ state: "complete", done: 450, of: 450, tokens: 900 });
  });
});

describe("a table of runs", () => {
  it("says of a broken spec what is wrong with it, and shows the others", async () => {
    const folder = temporaryFolder();
    const [, linked, corrupt] = ["a", "b\u202e", "c"].map((name) => specAt(folder, name)) as [string, string, string];
    linkSync(join(linked, "tasks.md"), join(folder, "outside.md"));
    mkdirSync(join(corrupt, ".fixpoint", "run-1"), { recursive: true });
    writeFileSync(join(corrupt, ".fixpoint", "run-1", "journal-1.ndjson"), "rubbish\n");
    specAt(folder, "deep/er/a");
    const { allRows, ask } = await tableOf(folder);
    const { rows, of } = await allRows();
    expect([of, rows.map(({ name, state }) => [name, state])]).toEqual([
      4,
      [
        ["a", "new"],
        ["b\\u202e", "broken"],
        ["c", "broken"],
        ["deep/er/a", "new"],
      ],
    ]);
    expect(rows[1]?.problem).toMatch(/^Cannot use .*, expected a file of its own/);
    expect(rows[2]?.problem).toMatch(/^Cannot read the journal .*, expected its first line to be whole/);
    const shown = await ask("runs/1/frames");
    expect([shown.status, await shown.text()]).toEqual([500, expect.stringMatching(/^Cannot use /)]);
    expect((await ask("runs/0/frames")).status).toBe(200);
  });

  it("sends what has changed, and nothing else", async () => {
    const folder = temporaryFolder();
    const [, second] = ["a", "b"].map((name) => specAt(folder, name)) as [string, string];
    const { allRows, rows } = await tableOf(folder);
    const { seen } = await allRows();
    expect(await rows(seen)).toMatchObject({ seen, rows: [] });
    writeFileSync(join(second, "tasks.md"), plan.replaceAll("[ ]", "[x]"));
    const more = await rows(seen);
    expect(more.rows).toMatchObject([{ place: 1, name: "b", done: 2, of: 2 }]);
    expect((await rows(more.seen)).rows).toEqual([]);
  });

  it("answers nobody without its token, and knows no other runs", async () => {
    const folder = temporaryFolder();
    for (const name of ["a", "b"]) specAt(folder, name);
    const { ask } = await tableOf(folder);
    const { url } = await ask("rows");
    for (const path of ["rows?seen=0", "runs/0/frames", "runs/1/story?task=1.1", "runs/0/stream"]) {
      expect((await fetch(new URL(path, url))).status).toBe(401);
    }
    for (const path of [
      "frames",
      "runs/2/frames",
      "runs/00/frames",
      "runs/-1/frames",
      "runs/0/rows",
      "runs/0",
      "runs/",
    ]) {
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    }
    expect((await fetch(new URL("runs/1/", url))).status).toBe(200);
  });
});

describe("fixpoint watch", () => {
  const watched = async (workspace: string, ...words: readonly string[]): Promise<string> => {
    const { child, end } = launch(workspace, ["watch", ...words]);
    let printed = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
    await until(() => printed.includes("\n") || child.exitCode !== null);
    child.kill("SIGINT");
    const { err } = await end;
    return `${printed}${err}`.replaceAll(workspace, "").split(": open")[0] ?? "";
  };

  it("shows one spec where one is meant, and a table where there are several", async () => {
    const workspace = projectWith().workspace;
    for (const name of ["one", "two", "group/three"]) specAt(join(workspace, "specs"), name);
    expect(await watched(workspace)).toBe("Watch 3 specs in /specs");
    expect(await watched(workspace, "specs")).toBe("Watch 3 specs in /specs");
    expect(await watched(workspace, ".")).toBe("Watch 4 specs in ");
    expect(await watched(workspace, "group")).toBe("Watch 1 spec in /specs/group");
    expect(await watched(workspace, "two")).toBe("Watch two");
    writeFileSync(join(workspace, "specs", ".current-spec"), "one");
    expect(await watched(workspace)).toBe("Watch one");
    mkdirSync(join(workspace, "empty"));
    expect(await watched(workspace, "empty")).toMatch(/^ERROR: Tasks file missing at \/empty\/tasks.md/);
  });

  it("is refused inside a call of one of the runs", () => {
    const folder = temporaryFolder();
    const spec = specAt(folder, "a");
    specAt(folder, "b");
    process.env["FIXPOINT_KEY"] = "1.1#1/delegate";
    process.env["FIXPOINT_SPEC"] = spec;
    onTestFinished(() => {
      delete process.env["FIXPOINT_KEY"];
      delete process.env["FIXPOINT_SPEC"];
    });
    expect(() => findWatched(folder, folder)).toThrow("from within its own call");
    expect(findSpec(spec, folder).name).toBe("a");
  });
});
