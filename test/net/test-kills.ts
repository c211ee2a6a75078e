import { expect, it } from "vitest";
import { someCases } from "../support/some-cases.ts";
import { killedPlans } from "./killed-plans.ts";
import { answeredIn, begin, goOn, type Kill, type KilledPlan, type Lasting, readLines } from "./killed-run.ts";

const textsOf = ({ store }: Lasting) => ({
  tasks: store.tasks.text,
  progress: store.log.text,
  summary: store.summary.text,
  memberLogs: [...store.memberLogs],
  reports: [...store.reports],
});

/** Omits counts, because an interrupted delegation is repeated and counted two times. */
const endOf = (ended: Awaited<ReturnType<typeof goOn>>) => ended && { ...ended, attempts: 0, toOperator: 0 };

async function survivor(plan: KilledPlan, kills: readonly Kill[]) {
  const lasting = begin(plan);
  const repeated: string[] = [];
  for (const kill of [...kills, undefined]) {
    const answered = answeredIn(readLines(lasting.lines));
    const before = lasting.asked.length;
    const ended = await goOn(plan, lasting, kill);
    repeated.push(...lasting.asked.slice(before).filter((key) => answered.has(key)));
    if (kill === undefined) return { ended, texts: textsOf(lasting), repeated, lasting };
    if (ended !== null) return null;
  }
  throw new Error("Cannot happen: the last start is not killed");
}

/**
 * @param stride Interval between kills during the recovery. Without it, each run is killed only once, at every fourth
 *   line.
 */
export function testKills(stride?: number): void {
  it.each(killedPlans.map((plan) => [plan.name, plan] as const))("%s", async (_, plan) => {
    const whole = await survivor(plan, []);
    if (whole === null) throw new Error("Cannot compare, expected a run that ends");
    expect(whole.ended?.outcome).toBe(plan.outcome);
    const end = endOf(whole.ended);
    const survives = async (kills: readonly Kill[]): Promise<boolean> => {
      const run = await survivor(plan, kills);
      if (run === null) return false;
      const keys = (asked: readonly string[]) => [...new Set(asked)].sort();
      expect({
        kills,
        ended: endOf(run.ended),
        texts: run.texts,
        repeated: run.repeated,
        asked: keys(run.lasting.asked),
      }).toEqual({
        ...{ kills, ended: end, texts: whole.texts, repeated: [], asked: keys(whole.lasting.asked) },
      });
      return true;
    };
    const lines = whole.lasting.lines.length;
    expect(lines).toBeGreaterThan(8);
    const tried = Array.from({ length: lines }, (_, index) => index + 1);
    for (const line of stride === undefined ? someCases(tried, 4, killedPlans.indexOf(plan) % 4) : tried) {
      for (const isTorn of stride === undefined ? [line % 8 < 4] : [false, true]) {
        const kill = { line, isTorn };
        expect(await survives([kill])).toBe(true);
        if (stride === undefined) continue;
        // Varies the first line, because a fixed offset would always skip the same lines.
        const first = line + 1 + (line % stride);
        for (let second = first; await survives([kill, { line: second, isTorn }]); second += stride);
      }
    }
  });
}
