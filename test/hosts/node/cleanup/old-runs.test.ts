import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tidyUp } from "../../../../src/hosts/node/cleanup/old-runs.ts";
import { temporaryFolder } from "../../../support/folder.ts";

it("reports what cannot be removed, since the run works without it", () => {
  const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()];
  for (const run of ["run-1", "run-2"]) mkdirSync(join(elsewhere, run));
  const dataFolder = join(folder, ".fixpoint");
  symlinkSync(elsewhere, dataFolder);
  expect(tidyUp(dataFolder, 2, 1)).toEqual([
    { type: "notice", message: expect.stringContaining(`Old runs were not removed: Cannot use \`${dataFolder}\``) },
  ]);
  expect(readdirSync(elsewhere).sort()).toEqual(["run-1", "run-2"]);
  expect(tidyUp(elsewhere, 2, 1)).toEqual([{ type: "notice", message: "Removed 1 old run, 0 bytes" }]);
  expect(tidyUp(elsewhere, 2, 1)).toEqual([]);
});
