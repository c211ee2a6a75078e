import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readReplay } from "../../../src/hosts/node/reading/read-replay.ts";
import { recordShape } from "./record-shape.ts";
import { shapes } from "./shapes.ts";

export interface Expected {
  readonly decisions: number;
  readonly stateHash: string;
}

export async function recordJournals(folder: string): Promise<void> {
  for (const shape of shapes) {
    if (existsSync(join(folder, shape.name))) continue;
    const kills = (shape.kills ?? []).map((behind, index) => ({
      behind,
      torn: shape.torn === true && index % 2 === 1,
    }));
    for (const kill of [undefined, ...kills]) {
      const name = kill === undefined ? shape.name : `${shape.name}-killed-${kill.behind}`;
      const workspace = realpathSync(mkdtempSync(join(tmpdir(), "fixpoint-journals-")));
      try {
        await recordShape(shape, workspace, join(folder, name), kill);
      } finally {
        rmSync(workspace, { recursive: true, force: true });
      }
    }
  }
  expectAnew(folder);
}

export function expectAnew(folder: string): void {
  for (const name of readdirSync(folder).sort()) {
    const { decisions, stateHash, differences } = readReplay(join(folder, name), { workspace: folder });
    if (differences.length > 0) throw new Error(`${name}: ${JSON.stringify(differences[0])}`);
    const expected: Expected = { decisions, stateHash };
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, "expected.json"), `${JSON.stringify(expected, null, 2)}\n`);
  }
}
