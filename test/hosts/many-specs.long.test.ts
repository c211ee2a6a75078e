import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import { projectWith } from "../support/project.ts";

const openFiles = (): number => readdirSync("/proc/self/fd").length;

it("many specs in one program all complete, and continue while others start", async () => {
  const stop = new AbortController();
  const warnings: unknown[] = [];
  const warn = (warning: unknown) => warnings.push(warning);
  process.on("warning", warn);
  const before = openFiles();
  const told: string[] = [];
  const projects = Array.from({ length: 100 }, () => projectWith({ plan: "- [ ] 1.1 A\n- [ ] 1.2 B\n" }));
  const ends = await Promise.all(
    projects.map(async ({ spec, workspace }, number) => {
      const executor = async (): Promise<string> => {
        told.push(`at work ${number}`);
        await sleep(1);
        return "TASK_COMPLETE";
      };
      const policy = { trustExecutor: true };
      const { outcome } = await runSpec({ spec, workspace, policy, executors: { executor }, signal: stop.signal });
      told.push(`end ${number}`);
      return outcome;
    }),
  );
  expect(new Set(ends)).toEqual(new Set(["complete"]));
  const firstEnd = told.findIndex((line) => line.startsWith("end"));
  expect(firstEnd).toBeLessThan(told.indexOf("at work 99"));
  expect(openFiles()).toBe(before);
  process.off("warning", warn);
  expect(warnings).toEqual([]);
});
