import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { livingWith } from "../../support/processes.ts";
import { type Project, readIn } from "./project.ts";
import { type Lineage, readLineage } from "./read-lineage.ts";

export interface Disturbance {
  readonly killed: ReadonlySet<number>;
  readonly outcast: ReadonlySet<number>;
}

export function checkProject(project: Project, tasks: number, disturbance: Disturbance): readonly string[] {
  const { spec, data } = project;
  const plan = readIn(spec, "tasks.md");
  const progress = readIn(spec, ".progress.md");
  const expected = Array.from({ length: tasks }, (_, index) => [
    `1.${index + 1}`,
    ...(index === 1 ? ["1.2.1"] : []),
  ]).flat();
  const ids = [...plan.matchAll(/^- \[x\] (\S+)/gm)].map(([, id]) => id);
  const runs = readdirSync(data).filter((name) => name.startsWith("run-")).length;
  const lineages = Array.from({ length: runs }, (_, index) => readLineage(data, index + 1));
  const drafts = readdirSync(data, { recursive: true }).filter((name) => /\.tmp$|\.ndjson\../.test(String(name)));
  const logged = expected.filter((id) => progress.split(`\n- [x] ${id} `).length !== 2);
  return [
    ...(ids.join() === expected.join() && !plan.includes("- [ ]") ? [] : [`the plan has ${ids}: ${plan}`]),
    ...(logged.length === 0 ? [] : [`not once in the progress log: ${logged}: ${progress}`]),
    ...(existsSync(join(spec, ".ralph-state.json")) ? ["the state file is still there"] : []),
    ...(drafts.length === 0 ? [] : [`half-written files are left: ${drafts}`]),
    ...lineages.flatMap(({ misfits }) => misfits),
    ...checkRuns(lineages),
    ...checkMarks(readIn(project.workspace, "marks.log"), disturbance),
    ...livingWith(`FIXPOINT_SPEC=${spec}`).map((pid) => `process ${pid} is alive`),
  ];
}

function checkRuns(lineages: readonly Lineage[]): readonly string[] {
  return lineages.flatMap(({ records }, index) => {
    const ends = records
      .filter(({ type }) => type === "ended")
      .map(({ ending }) => (ending as { outcome: string }).outcome);
    const keys = records.flatMap(({ type, key }) => (type === "delegated" ? [String(key)] : []));
    const passed = records.flatMap(({ type, key }) =>
      type === "answered" && /recordPass$/.test(String(key)) ? [key] : [],
    );
    return [
      ...(ends.filter((end) => end === "complete").length === 1 && ends.at(-1) === "complete"
        ? []
        : [`run ${index + 1} ended ${ends}`]),
      ...(index === 0 || keys.length === 0 ? [] : [`run ${index + 1} did ${keys} again`]),
      ...(new Set(passed).size === passed.length ? [] : [`passed twice: ${passed}`]),
    ];
  });
}

function checkMarks(text: string, { killed, outcast }: Disturbance): readonly string[] {
  const found: string[] = [];
  const done = new Map<string, number>();
  const atWork = new Map<number, string>();
  for (const [what, key = "", of] of text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" "))) {
    const pid = Number(of);
    if (what === "end") {
      atWork.delete(pid);
      if (!outcast.has(pid)) done.set(key, (done.get(key) ?? 0) + 1);
      continue;
    }
    const others = [...atWork].filter(([other]) => !killed.has(other) && !outcast.has(other));
    if (others.length > 0) found.push(`${key} of process ${pid} begins while others work: ${others}`);
    atWork.set(pid, key);
  }
  for (const [key, times] of done)
    if (times > 1 + killed.size + outcast.size) found.push(`${key} was done ${times} times`);
  return found;
}
