import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileStore, putReportAway } from "../../../src/adapters/documents/file-store.ts";
import { specFiles } from "../../../src/adapters/files/spec-files.ts";
import type { SummaryEntry } from "../../../src/model/stuck-report.ts";
import { temporaryFolder } from "../../support/folder.ts";

const entry: SummaryEntry = { kind: "retried", task: "1.1", adjustment: "Größe angeben" };
const refusal = { name: "EnvironmentError", code: "file-refused" };
const outside = { name: "InputError", code: "report-outside", hint: expect.stringContaining("workspace") };

const others: [string, (path: string, other: string) => void][] = [
  ["a hard link", (path, other) => linkSync(other, path)],
  ["a pipe without a reader", (path) => execFileSync("mkfifo", [path])],
  ["a folder", (path) => mkdirSync(path)],
];
const linkOut = (path: string, other: string): void => symlinkSync(other, path);

function sample() {
  const workspace = join(temporaryFolder(), "workspace");
  const folder = join(workspace, "specs", "größe");
  const dataFolder = join(folder, ".fixpoint");
  mkdirSync(dataFolder, { recursive: true });
  const other = join(temporaryFolder(), "other.md");
  writeFileSync(other, "Other\n");
  return {
    workspace,
    folder,
    other,
    at: (name: string): string => join(workspace, name),
    open: (check = (): void => {}) => {
      const files = specFiles(dataFolder, { checkFence: check, checkHeld: check });
      return fileStore({ folder, dataFolder, workspace, files });
    },
    leftOver: (): string[] => readdirSync(dataFolder),
  };
}

describe("fileStore, the summary", () => {
  it("creates the file and appends to it, keeping bytes that are not UTF-8", async () => {
    const { folder, open, leftOver } = sample();
    const path = join(folder, "SUMMARY.md");
    await open().summarize(entry);
    expect(readFileSync(path, "utf8")).toContain("- [Node Repair - RETRY] Task 1.1: Größe angeben - resolved\n");
    const old = Buffer.concat([Buffer.from([0xff, 0x0a]), readFileSync(path)]);
    writeFileSync(path, old);
    await open().summarize({ ...entry, task: "1.2" });
    expect(readFileSync(path).subarray(0, old.length)).toEqual(old);
    expect(readFileSync(path).includes("Task 1.2: Größe angeben")).toBe(true);
    expect(leftOver()).toEqual([]);
  });

  it("writes no line twice, and nothing after another coordinator has taken over", async () => {
    const { folder, open } = sample();
    await open().summarize(entry);
    const taken = open(() => {
      throw new Error("taken over");
    });
    await taken.summarize(entry);
    await expect(taken.summarize({ ...entry, task: "1.2" })).rejects.toThrow("taken over");
    expect(readFileSync(join(folder, "SUMMARY.md"), "utf8")).not.toContain("1.2");
  });

  it("follows a link to a file inside the folder, and keeps the link", async () => {
    const { folder, open } = sample();
    writeFileSync(join(folder, "notes.md"), "# Notes\n");
    symlinkSync("notes.md", join(folder, "SUMMARY.md"));
    await open().summarize(entry);
    expect(lstatSync(join(folder, "SUMMARY.md")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "notes.md"), "utf8")).toMatch(/^# Notes\n.*resolved/s);
  });

  it.each([...others, ["a link out of the folder", linkOut] as const])(
    "T10, I23: neither reads nor writes a summary that has become %s",
    async (_, make) => {
      const { folder, other, open } = sample();
      make(join(folder, "SUMMARY.md"), other);
      await expect(open().summarize(entry)).rejects.toMatchObject(refusal);
      expect(readFileSync(other, "utf8")).toBe("Other\n");
    },
  );
});

describe("fileStore, the report", () => {
  it("is next to the plan, with a path relative to the workspace", async () => {
    const { folder, open, leftOver } = sample();
    const store = open();
    expect(await store.report("# One: Stuck Report\n", null)).toBe(join("specs", "größe", "stuck-report.md"));
    expect(await store.report("# Two: Stuck Report\n", null)).toBe(join("specs", "größe", "stuck-report.md"));
    expect(readFileSync(join(folder, "stuck-report.md"), "utf8")).toBe("# Two: Stuck Report\n");
    expect(leftOver()).toEqual([]);
  });

  it("is at the requested path, in folders that are created", async () => {
    const { at, workspace, open } = sample();
    expect(await open().report("# One: Stuck Report\n", "reports/a/../stuck.md")).toBe(join("reports", "stuck.md"));
    expect(await open().report("# Two: Stuck Report\n", join(workspace, "reports", "stuck.md"))).toBe(
      join("reports", "stuck.md"),
    );
    expect(await open().report("# Three: Stuck Report\n", "..stuck.md")).toBe("..stuck.md");
    expect(readFileSync(at("reports/stuck.md"), "utf8")).toBe("# Two: Stuck Report\n");
  });

  it("has an absolute path if the spec is not in the workspace", async () => {
    const { folder } = sample();
    const store = fileStore({ folder, dataFolder: join(folder, ".fixpoint"), workspace: temporaryFolder() });
    expect(await store.report("# One: Stuck Report\n", null)).toBe(join(folder, "stuck-report.md"));
  });

  it("is found in a workspace reached by a link", async () => {
    const { workspace, folder } = sample();
    const link = join(temporaryFolder(), "link");
    symlinkSync(workspace, link);
    const store = fileStore({ folder, dataFolder: join(folder, ".fixpoint"), workspace: link });
    expect(await store.report("# One: Stuck Report\n", join(link, "stuck.md"))).toBe("stuck.md");
    expect(await store.report("# One: Stuck Report\n", null)).toBe(join("specs", "größe", "stuck-report.md"));
  });

  it("follows links inside the workspace", async () => {
    const { at, open } = sample();
    mkdirSync(at("real"));
    writeFileSync(at("real/report.md"), "# Old: Stuck Report\n");
    symlinkSync("real", at("linked"));
    symlinkSync("real/report.md", at("report.md"));
    expect(await open().report("# One: Stuck Report\n", "report.md")).toBe(join("real", "report.md"));
    expect(await open().report("# Two: Stuck Report\n", "linked/new/stuck.md")).toBe(join("real", "new", "stuck.md"));
    expect(lstatSync(at("report.md")).isSymbolicLink()).toBe(true);
    expect(readFileSync(at("real/report.md"), "utf8")).toBe("# One: Stuck Report\n");
  });

  it.each(["", "../stuck.md", "a/../../stuck.md", "..", "/", "/stuck.md", "stuck.md\0"])(
    "T10, I23: refuses the path %j out of the workspace",
    async (path) => {
      const { at, open } = sample();
      await expect(open().report("# One: Stuck Report\n", path)).rejects.toMatchObject(outside);
      expect(existsSync(at("../stuck.md"))).toBe(false);
    },
  );

  it("T10, I23: refuses a path out through a link, and creates no folder there", async () => {
    const { at, other, open } = sample();
    const beyond = temporaryFolder();
    symlinkSync(beyond, at("linked"));
    symlinkSync(other, at("report.md"));
    for (const path of ["linked/stuck.md", "linked/new/stuck.md", "report.md", "linked"]) {
      await expect(open().report("# One: Stuck Report\n", path)).rejects.toMatchObject(outside);
    }
    expect([readdirSync(beyond), readFileSync(other, "utf8")]).toEqual([[], "Other\n"]);
  });

  it.each(others)("T10, I23: does not write over %s", async (_, make) => {
    const { at, folder, other, open } = sample();
    make(at("report.md"), other);
    make(join(folder, "stuck-report.md"), other);
    for (const path of ["report.md", null]) {
      await expect(open().report("# One: Stuck Report\n", path)).rejects.toMatchObject(refusal);
    }
    expect(readFileSync(other, "utf8")).toBe("Other\n");
  });

  it("T10, I23: does not write if a link next to the plan leads out of its folder", async () => {
    const { at, folder, open } = sample();
    writeFileSync(at("other.md"), "Other\n");
    symlinkSync(at("other.md"), join(folder, "stuck-report.md"));
    await expect(open().report("# One: Stuck Report\n", null)).rejects.toMatchObject(refusal);
    rmSync(at("other.md"));
    await expect(open().report("# One: Stuck Report\n", null)).rejects.toMatchObject(refusal);
  });

  it("names the file that blocks its folder", async () => {
    const { at, open } = sample();
    writeFileSync(at("reports"), "");
    const error = { ...refusal, message: expect.stringContaining("reports/stuck.md") };
    await expect(open().report("# One: Stuck Report\n", "reports/stuck.md")).rejects.toMatchObject(error);
  });

  it("creates nothing after another coordinator has taken over", async () => {
    const { at, open } = sample();
    const taken = open(() => {
      throw new Error("taken over");
    });
    await expect(taken.report("# One: Stuck Report\n", "reports/stuck.md")).rejects.toThrow("taken over");
    expect(existsSync(at("reports"))).toBe(false);
  });
});

describe("an answered report", () => {
  const title = "# One: Stuck Report\n";

  it("is moved into the folder of run data, next to earlier ones", async () => {
    const { at, folder, workspace, open, leftOver } = sample();
    const place = { folder, workspace, path: null };
    const dataFolder = join(folder, ".fixpoint");
    expect(putReportAway(place, dataFolder)).toBeNull();
    for (const number of [1, 2]) {
      await open().report(title, null);
      expect(putReportAway(place, dataFolder)).toBe(join(dataFolder, `stuck-report-${number}.md`));
    }
    await open().report(title, "reports/stuck.md");
    putReportAway({ ...place, path: "reports/stuck.md" }, dataFolder);
    expect(leftOver().sort()).toEqual(["stuck-report-1.md", "stuck-report-2.md", "stuck-report-3.md"]);
    expect([existsSync(join(folder, "stuck-report.md")), existsSync(at("reports/stuck.md"))]).toEqual([false, false]);
  });

  it("T10: overwrites no other file, and moves none away", async () => {
    const { at, folder, workspace, open } = sample();
    writeFileSync(at("README.md"), "# Mine\n");
    const occupied = { name: "InputError", code: "report-occupied" };
    await expect(open().report(title, "README.md")).rejects.toMatchObject(occupied);
    const place = { folder, workspace, path: "README.md" };
    expect(() => putReportAway(place, join(folder, ".fixpoint"))).toThrow(expect.objectContaining(occupied));
    expect(readFileSync(at("README.md"), "utf8")).toBe("# Mine\n");
  });
});
