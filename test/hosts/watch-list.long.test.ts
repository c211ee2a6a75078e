import { linkSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { findSpec } from "../../src/hosts/node/find-spec.ts";
import { findWatched, listRoom } from "../../src/hosts/node/watch/list-room.ts";
import { servePage } from "../../src/hosts/node/watch/serve-page.ts";
import { launch } from "../support/cli.ts";
import { temporaryFolder } from "../support/folder.ts";
import { projectWith } from "../support/project.ts";
import { until } from "../support/until.ts";

const plan = "- [x] 1.1 First\n- [ ] 1.2 Second\n- [ ] 1.3 [FIX 1.2] Mend it\n";

function specAt(folder: string, name: string, text = plan): string {
  const spec = join(folder, name);
  mkdirSync(spec, { recursive: true });
  writeFileSync(join(spec, "tasks.md"), text);
  return spec;
}

async function listOf(folder: string) {
  const watched = findWatched(folder, folder);
  if (!("specs" in watched)) throw new Error(`Cannot watch ${folder} as a list, it is a spec`);
  const page = await servePage(watched.specs[0] ?? "", listRoom(watched));
  onTestFinished(() => page.close());
  const token = /token=([\w-]+)/.exec(readFileSync(page.path, "utf8"))?.[1] ?? "";
  const ask = async (path: string): Promise<Response> =>
    await fetch(new URL(path, page.address), { headers: { Authorization: `Bearer ${token}` } });
  return { ask };
}

describe("a list of specs", () => {
  it("names all specs, and reports the error of a broken one when its page is requested", async () => {
    const folder = temporaryFolder();
    const [, linked] = ["a", "b\u202e"].map((name) => specAt(folder, name)) as [string, string];
    linkSync(join(linked, "tasks.md"), join(folder, "outside.md"));
    specAt(folder, "deep/er/a");
    const { ask } = await listOf(folder);
    expect(await (await ask("specs")).json()).toEqual({
      folder: basename(folder),
      specs: ["a", "b\\u202e", "deep/er/a"].map((name) => ({ kind: "quiet", name, state: "Not run yet: 1 of 2 done" })),
    });
    const shown = await ask("runs/1/stream");
    expect([shown.status, await shown.text()]).toEqual([500, expect.stringMatching(/^Cannot use /)]);
    expect((await ask("runs/0/printed")).status).toBe(200);
  });

  it("refuses requests without its token, and serves no other runs", async () => {
    const folder = temporaryFolder();
    for (const name of ["a", "b"]) specAt(folder, name);
    const { ask } = await listOf(folder);
    const { url } = await ask("specs");
    for (const path of ["specs", "runs/0/printed", "runs/1/printed?task=1.1", "runs/0/stream"]) {
      expect((await fetch(new URL(path, url))).status).toBe(401);
    }
    for (const path of [
      "printed",
      "runs/2/printed",
      "runs/00/printed",
      "runs/-1/printed",
      "specs?a=b",
      "runs/0/specs",
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

  it("shows one spec if it is given, and a list if there are several", async () => {
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

  it("is refused to an executor of one of the runs", () => {
    const folder = temporaryFolder();
    const spec = specAt(folder, "a");
    specAt(folder, "b");
    process.env["FIXPOINT_KEY"] = "1.1#1/delegate";
    process.env["FIXPOINT_SPEC"] = spec;
    onTestFinished(() => {
      delete process.env["FIXPOINT_KEY"];
      delete process.env["FIXPOINT_SPEC"];
    });
    expect(() => findWatched(folder, folder)).toThrow("from inside its own call");
    expect(findSpec(spec, folder).name).toBe("a");
  });
});
