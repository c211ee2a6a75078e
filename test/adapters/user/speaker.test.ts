import fs, { mkdirSync, symlinkSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import tty from "node:tty";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findCall, whoSpeaks } from "../../../src/adapters/user/speaker.ts";
import { temporaryFolder } from "../../support/folder.ts";

const { readFileSync, readlinkSync } = fs;
const { isatty } = tty;
beforeEach(() => {
  for (const name of ["FIXPOINT_KEY", "FIXPOINT_SPEC"]) vi.stubEnv(name, undefined);
});
afterEach(() => {
  Object.assign(fs, { readFileSync, readlinkSync });
  Object.assign(tty, { isatty });
  syncBuiltinESMExports();
  vi.unstubAllEnvs();
});

/** What a process was begun with, and its parent; null for what cannot be read. */
interface Ancestor {
  readonly environ: string | null;
  readonly parent: number | null;
  readonly name?: string;
}

/** Has this process descend from such ones. `self` is this one. */
function descendFrom(processes: Readonly<Record<string, Ancestor>>): void {
  const given = (path: string): string | null | undefined => {
    const [, of = "", file = ""] = /^\/proc\/(\w+)\/(\w+)$/.exec(path) ?? [];
    const found = processes[of];
    if (of === "") return undefined;
    if (file === "environ") return found?.environ ?? null;
    return found?.parent == null ? null : `7 (${found.name ?? "sh"}) S ${found.parent} 7 7 0`;
  };
  fs.readFileSync = ((path: string, ...rest: [never]) => {
    const text = given(String(path));
    if (text === undefined) return readFileSync(path, ...rest);
    if (text === null) throw Object.assign(new Error("EACCES"), { code: "EACCES" });
    return text;
  }) as typeof readFileSync;
  syncBuiltinESMExports();
}
const variables = (...entries: readonly string[]): string => entries.map((entry) => `${entry}\0`).join("");

/** A spec's folder, and another name of it. */
function sample() {
  const folder = temporaryFolder();
  const [spec, link] = [join(folder, "spec"), join(folder, "link")];
  mkdirSync(spec);
  symlinkSync("spec", link);
  return { spec, link, other: folder };
}
const nobody = { environ: "", parent: 0 };

describe("the call that a process was begun in", () => {
  it("is none of a spec where nothing says so", () => {
    descendFrom({ self: { environ: variables("PATH=/bin", "KEY=1"), parent: 5 }, 5: nobody });
    expect(findCall(sample().spec)).toBeNull();
    descendFrom({ self: { environ: "", parent: null } });
    expect(findCall(sample().spec)).toBeNull();
  });

  it("is told by its own environment as it is now", () => {
    const { spec, link, other } = sample();
    descendFrom({ self: nobody });
    vi.stubEnv("FIXPOINT_KEY", "1.1#1");
    expect(findCall(spec)).toBe("1.1#1");
    vi.stubEnv("FIXPOINT_SPEC", link);
    expect(findCall(spec)).toBe("1.1#1");
    vi.stubEnv("FIXPOINT_SPEC", other);
    expect(findCall(spec)).toBeNull();
    vi.stubEnv("FIXPOINT_SPEC", join(other, "gone"));
    expect(findCall(spec)).toBeNull();
    expect(findCall(join(other, "gone"))).toBe("1.1#1");
    expect(findCall(join(other, "gone-as-well"))).toBeNull();
  });

  it.each([
    ["it was begun with", (own: string) => ({ self: { environ: own, parent: 0 } })],
    [
      "one above it was begun with, whatever those between say",
      (own: string) => ({
        self: { environ: variables("FIXPOINT_KEY=9.9#9", "FIXPOINT_SPEC=/elsewhere"), parent: 12 },
        12: { environ: null, parent: 11, name: "a) S 99 (b" },
        11: { environ: "", parent: 10 },
        10: { environ: own, parent: 0 },
      }),
    ],
    [
      "one was begun with, in a line that comes back to itself",
      (own: string) => ({ self: { environ: "", parent: 5 }, 5: { environ: own, parent: 5 } }),
    ],
  ])("is told by what %s", (_, line) => {
    const { spec, link, other } = sample();
    descendFrom(line(variables("FIXPOINT_KEY=1.1#1", `FIXPOINT_SPEC=${link}`)));
    expect(findCall(spec)).toBe("1.1#1");
    expect(findCall(other)).toBeNull();
  });

  it("goes by the first of two entries of one name, as programs do, and the whole of its value", () => {
    const { spec } = sample();
    const environ = variables(
      "FIXPOINT_KEYX",
      "FIXPOINT_KEY=a=b",
      "FIXPOINT_KEY=c",
      "=FIXPOINT_KEY=d",
      "XFIXPOINT_KEY=e",
      "FIXPOINT_",
    );
    descendFrom({ self: { environ, parent: 0 } });
    expect(findCall(spec)).toBe("a=b");
  });

  it("is that of the nearest", () => {
    const { spec } = sample();
    descendFrom({
      self: { environ: variables("FIXPOINT_KEY=near"), parent: 5 },
      5: { environ: variables("FIXPOINT_KEY=far"), parent: 0 },
    });
    expect(findCall(spec)).toBe("near");
  });
});

describe("who speaks", () => {
  it("is what has begun this process, by its name where that can be read", () => {
    fs.readFileSync = ((path: string) =>
      path === `/proc/${process.ppid}/comm` ? "my shell\n" : "") as typeof readFileSync;
    syncBuiltinESMExports();
    expect(whoSpeaks()).toMatchObject({ pid: process.ppid, process: "my shell" });
    descendFrom({});
    expect(whoSpeaks()).toMatchObject({ pid: process.ppid, process: null });
  });

  it.each([
    [[0, 1, 2], "/dev/pts/0"],
    [[1, 2], "/dev/pts/1"],
    [[2], "/dev/pts/2"],
    [[3], null],
  ])("is at the first terminal among the standard streams: %j", (terminals, terminal) => {
    tty.isatty = (fd) => terminals.includes(fd);
    fs.readlinkSync = ((path: string) => String(path).replace("/proc/self/fd", "/dev/pts")) as typeof readlinkSync;
    syncBuiltinESMExports();
    expect(whoSpeaks().terminal).toBe(terminal);
    fs.readlinkSync = () => {
      throw new Error("ENOENT");
    };
    syncBuiltinESMExports();
    expect(whoSpeaks().terminal).toBe(terminal === null ? null : "/dev/tty");
  });
});
