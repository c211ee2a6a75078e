import { expect, it } from "vitest";
import type { OwnerRecord } from "../../../../src/hosts/node/consent/owner-record.ts";
import { readRunData } from "../../../../src/hosts/node/consent/read-run-data.ts";
import { findSpec } from "../../../../src/hosts/node/find-spec.ts";
import { noSeed } from "../../../../src/model/run-seed.ts";
import { run } from "../../../support/cli-here.ts";
import { projectWith } from "../../../support/project.ts";

it("accepts a run of the same user that began during the read", async () => {
  const project = projectWith({ script: "broke hard" });
  await run(project, "--yes");
  const unknown = { place: "", agreement: null, head: null } as Partial<OwnerRecord> as OwnerRecord;
  const begun = { ...unknown, head: { run: 1, end: null, complete: false, seed: noSeed } };
  const looks = [unknown, begun, unknown];
  const { state } = await readRunData(findSpec("spec", project.workspace), {}, () => looks.shift() as OwnerRecord);
  expect(state).toBe("own");
  expect((await readRunData(findSpec("spec", project.workspace), {}, () => unknown)).state).toBe("foreign");
});
