import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileStore } from "../../../src/adapters/documents/file-store.ts";
import { findReport, putReportAway } from "../../../src/adapters/documents/report-file.ts";
import { temporaryFolder } from "../../support/folder.ts";

const title = "# Fixpoint - Stuck Report\n";

/** A spec in a workspace of its own. */
function sample() {
  const workspace = temporaryFolder();
  const folder = join(workspace, "spec");
  const dataFolder = join(folder, ".fixpoint");
  mkdirSync(dataFolder, { recursive: true });
  return {
    workspace,
    dataFolder,
    folder,
    place: (path: string | null) => ({ folder, workspace, path }),
  };
}

const refusal = (verb: string, path: string) => ({
  code: "file-refused",
  message: expect.stringContaining(`Cannot ${verb} \`${path}\`: E`),
});

describe("findReport", () => {
  it("answers where a report is to be, and where it lies", () => {
    const { workspace, folder, place } = sample();
    const beside = join(folder, "stuck-report.md");
    expect(findReport(place(null))).toEqual({ place: beside, target: beside });
    writeFileSync(join(folder, "old.md"), title);
    symlinkSync("old.md", beside);
    expect(findReport(place(null))).toEqual({ place: beside, target: join(folder, "old.md") });
    const named = join(workspace, "spec/old.md");
    expect(findReport(place("spec/old.md"))).toEqual({ place: named, target: named });
  });

  it("says what to do where another file stands", () => {
    const { folder, place } = sample();
    const path = join(folder, "stuck-report.md");
    writeFileSync(path, "# Mine\n");
    expect(() => findReport(place(null))).toThrow(
      expect.objectContaining({
        code: "report-occupied",
        message: `Cannot use \`${path}\` for the stuck report, expected no other file there`,
        hint: expect.stringContaining("--stuck-report"),
      }),
    );
  });

  it("says which path the system refuses to look at", () => {
    const { workspace, place } = sample();
    writeFileSync(join(workspace, "file"), "");
    for (const path of ["file/stuck.md", `${"x".repeat(300)}.md`]) {
      expect(() => findReport(place(path)), path).toThrow(expect.objectContaining(refusal("look at", path)));
    }
  });
});

describe("a report as a file", () => {
  it("is refused with its path where the system does not let it be written", async () => {
    const { workspace, folder, dataFolder } = sample();
    const { report } = fileStore({ folder, dataFolder: join(dataFolder, "none"), workspace });
    const path = join(workspace, "stuck.md");
    await expect(report(title, "stuck.md")).rejects.toMatchObject(refusal("write", path));
    expect(existsSync(path)).toBe(false);
  });

  it("takes the place of one that may only be read", async () => {
    const { folder, dataFolder } = sample();
    const path = join(folder, "stuck-report.md");
    writeFileSync(path, title, { mode: 0o444 });
    await fileStore({ folder, dataFolder }).report(`${title}New\n`, null);
    expect(readFileSync(path, "utf8")).toBe(`${title}New\n`);
  });

  it("lies in the spec's folder when no workspace is given", async () => {
    const { folder, dataFolder } = sample();
    const store = fileStore({ folder, dataFolder });
    expect(await store.report(title, "reports/stuck.md")).toBe(join("reports", "stuck.md"));
    expect(await store.report(title, null)).toBe("stuck-report.md");
    expect(existsSync(join(folder, "reports/stuck.md"))).toBe(true);
  });

  it("stays where it is when it cannot be put away", () => {
    const { folder, dataFolder, place } = sample();
    const path = join(folder, "stuck-report.md");
    writeFileSync(path, title);
    expect(() => putReportAway(place(null), join(dataFolder, "none"))).toThrow(
      expect.objectContaining(refusal("move", path)),
    );
    expect(existsSync(path)).toBe(true);
  });
});

describe("a summary as a file", () => {
  it("is added to when it may only be read", async () => {
    const { folder, dataFolder } = sample();
    const path = join(folder, "SUMMARY.md");
    writeFileSync(path, "# Mine\n", { mode: 0o444 });
    await fileStore({ folder, dataFolder }).summarize({ kind: "retried", task: "1.1", adjustment: "x" });
    expect(readFileSync(path, "utf8")).toMatch(/^# Mine\n.*Task 1\.1: x/s);
  });

  it("is refused with its path where the system does not let it be written", async () => {
    const { folder, dataFolder } = sample();
    const { summarize } = fileStore({ folder, dataFolder: join(dataFolder, "none") });
    const path = join(folder, "SUMMARY.md");
    await expect(summarize({ kind: "retried", task: "1.1", adjustment: "x" })).rejects.toMatchObject(
      refusal("write", path),
    );
    expect(existsSync(path)).toBe(false);
  });
});
