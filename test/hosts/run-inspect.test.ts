import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWebSocketReceiver, type StatelyInspectionEvent } from "@statelyai/inspect";
import { describe, expect, it } from "vitest";
import type { InspectionEvent } from "xstate";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import { launch, runWords } from "../support/cli.ts";
import { projectWith, works } from "../support/project.ts";
import { until } from "../support/until.ts";

describe("a run with --inspect", () => {
  it("sends the inspector the positions of its machines, in the form of actors", async () => {
    const { workspace, spec } = projectWith({ script: works });
    const values: string[] = [];
    let failed = false;
    const ended = await runSpec({
      ...{ spec, workspace, executors: { executor: "./executor.sh" }, yes: true },
      inspect: (inspection: InspectionEvent) => {
        if (inspection.type !== "@xstate.snapshot" || !("value" in inspection.snapshot)) return;
        const { value, status } = inspection.snapshot as { readonly value: string; readonly status: string };
        values.push(value);
        failed ||= status === "error";
      },
    });
    expect(ended.outcome).toBe("complete");
    expect(failed).toBe(false);
    expect(values).toEqual(expect.arrayContaining(["choosing", "delegating", "verifying", "recordingPass", "passed"]));
    expect(values.at(-1)).toBe("complete");
  });

  it("serves its machines to the receiver of Stately, at an address on the terminal", async () => {
    const project = projectWith({ script: `while [ ! -e seen ]; do sleep 0.1; done; ${works}` });
    const { child, end } = launch(project.workspace, runWords(project, "--yes", "--inspect", "stately"));
    let err = "";
    child.stderr?.on("data", (piece: Buffer) => {
      err += piece.toString();
    });
    await until(() => /Inspector: open (\S+)\n/.test(err) && err.includes("Watch: open"));
    const page = /^Watch: open file:\/\/(\S+), and there "Machines"$/m.exec(err)?.[1] ?? "";
    const address = /http:\/\/127\.0\.0\.1:\d+\/[^"'\s<]*/.exec(readFileSync(page, "utf8"))?.[0] ?? "";
    expect(await (await fetch(address)).text()).toContain("Machines");
    const got: StatelyInspectionEvent[] = [];
    createWebSocketReceiver({ server: /server: "(\S+)"/.exec(err)?.[1] as string }).subscribe((message) => {
      got.push(message);
    });
    await until(() => got.length > 0);
    writeFileSync(join(project.workspace, "seen"), "");
    expect((await end).exitCode).toBe(0);
    await until(() => (got.at(-1) as { snapshot?: { status?: string } } | undefined)?.snapshot?.status === "done");
    expect(
      got.filter(({ type }) => type === "@xstate.actor").map((actor) => (actor as { name?: string }).name),
    ).toEqual(["spec", "task", "task"]);
  });
});
