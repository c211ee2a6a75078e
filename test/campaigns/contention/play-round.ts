import { checkProject } from "./check-project.ts";
import type { Coordinator, Crew, End, Told } from "./crew.ts";
import type { Round } from "./draw-round.ts";
import { forgeHolder, holderIn } from "./lease-files.ts";
import { type Project, readIn } from "./project.ts";

export interface Played {
  readonly kills: number;
  readonly stops: number;
  readonly takeOvers: number;
  readonly violations: readonly string[];
}

const longestMs = 30_000;

interface Place {
  readonly round: Round;
  readonly project: Project;
  readonly members: readonly Coordinator[];
  readonly told: Told;
}

export async function playRound(round: Round, project: Project, crew: Crew): Promise<Played> {
  const members = await crew.muster(round.coordinators);
  const told = { workspace: project.workspace, spec: project.spec, workMs: round.workMs };
  const place = { round, project, members, told };
  const outcast = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => {
      void crew.dismiss().then(() => resolve(["the round does not end"]));
    }, longestMs);
  });
  const violations = await Promise.race([plays[round.kind](place, outcast), late]);
  clearTimeout(timer);
  const killed = new Set(members.filter((member) => member.isGone()).map(({ pid }) => pid));
  const checked = checkProject(project, round.tasks, { killed, outcast });
  const stops = round.kind === "stopped" || round.kind === "taken over" ? 1 : 0;
  return { kills: killed.size, stops, takeOvers: outcast.size, violations: [...violations, ...checked] };
}

const plays: Record<Round["kind"], (place: Place, outcast: Set<number>) => Promise<readonly string[]>> = {
  "at once": async ({ members, told }) => {
    const ends = members.map((member) => member.begin({ ...told, waits: true }));
    const holder = await Promise.race(members.map((member) => member.atWork().then(() => member)));
    const others = await Promise.all(ends.filter((_, index) => members[index] !== holder));
    const release = setInterval(() => holder.goOn(), 1);
    const end = (await ends[members.indexOf(holder)]) as End;
    clearInterval(release);
    const strangers = others.filter(({ code, error }) => code !== "spec-locked" || !isNaming(error, holder.pid));
    return [...strangers, ...(end.outcome === "complete" ? [] : [end])].map(tell);
  },
  relay: async ({ members, told }) =>
    unlessFair(await Promise.all(members.map((member) => member.begin({ ...told, patient: true, oneTask: true })))),
  stopped: async ({ round, project, members, told }) => {
    const [holder, ...others] = members as readonly [Coordinator, ...Coordinator[]];
    const breaking = { change: round.changes[0] ?? 1, signal: "SIGSTOP" } as const;
    const end = holder.begin({ ...told, breaking });
    await holder.stopped(end);
    const holds = holderIn(project.data) === holder.pid;
    const ends = await Promise.all(others.map((other) => other.begin(told)));
    holder.wake();
    const all = [await end, ...ends];
    const meddled = holds ? ends.filter(({ outcome, code }) => outcome !== "complete" && code !== "spec-locked") : [];
    return [...meddled.map(tell), ...unlessFair(all)];
  },
  killed: async ({ round, members, told }) => {
    const ends = members.map((member, index) => {
      const change = round.changes[index];
      return member.begin({
        ...told,
        patient: true,
        ...(change !== undefined && { breaking: { change, signal: "SIGKILL" } }),
      });
    });
    const left = (await Promise.all(ends)).filter(({ code }) => code !== "killed");
    // A process may have died in a run that it began after the complete run; another start must complete that run.
    const survivor = members.find((member) => !member.isGone());
    const last = survivor === undefined ? [] : [await survivor.begin({ ...told, patient: true })];
    return unlessFair([...left, ...last]);
  },
  "taken over": async ({ round, project, members, told }, outcast) => {
    const [holder, ...others] = members as readonly [Coordinator, ...Coordinator[]];
    const end = holder.begin({ ...told, breaking: { change: round.changes[0] ?? 1, signal: "SIGSTOP" } });
    if (await holder.stopped(end)) {
      const holds = holderIn(project.data) === holder.pid;
      if (holds) {
        forgeHolder(project.data, round.elsewhere ? { host: "elsewhere" } : { pidStart: "1" });
        outcast.add(holder.pid);
      }
      const ends = others.map((other) => other.begin({ ...told, patient: true, takeOver: true }));
      if (round.wakesAmid) await Promise.race(ends);
      const done = round.wakesAmid ? [] : unlessFair(await Promise.all(ends));
      const before = documentsOf(project);
      const began = marksOf(project, holder.pid);
      holder.wake();
      const late = await end;
      const fair = unlessFair(await Promise.all(ends));
      return [
        ...done,
        ...fair,
        ...(holds && late.outcome === "complete" ? [`it was taken over, and says ${tell(late)}`] : []),
        ...(holds && marksOf(project, holder.pid) > began ? ["it was taken over, and has begun with a task"] : []),
        ...(!round.wakesAmid && documentsOf(project) !== before
          ? ["it was taken over, and has changed something"]
          : []),
      ];
    }
    return unlessFair(await Promise.all([end, ...others.map((other) => other.begin({ ...told, patient: true }))]));
  },
};

const unlessFair = (ends: readonly End[]): readonly string[] => [
  ...(ends.some(({ outcome }) => outcome === "complete") ? [] : [`nobody has completed the spec: ${ends.map(tell)}`]),
  ...ends
    .filter(({ outcome, code }) => !["complete", "interrupted"].includes(outcome ?? "") && code !== "spec-locked")
    .map(tell),
];

const isNaming = (error: string | null, pid: number): boolean => error?.includes(`process ${pid} `) === true;
const tell = ({ outcome, code, error }: End): string => `ended ${outcome ?? code}: ${error}`;

const documentsOf = ({ spec }: Project): string =>
  ["tasks.md", ".progress.md", ".ralph-state.json"].map((name) => readIn(spec, name)).join("\n===\n");

const marksOf = ({ workspace }: Project, pid: number): number =>
  readIn(workspace, "marks.log")
    .split("\n")
    .filter((line) => line.startsWith("begin") && line.endsWith(` ${pid}`)).length;
