import { chmodSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { userFolder } from "../../../src/adapters/user/user-folder.ts";
import { temporaryFolder } from "../../support/folder.ts";

function places() {
  const folder = temporaryFolder();
  const [spec, workspace, state] = [join(folder, "spec"), join(folder, "workspace"), join(folder, "state")];
  for (const place of [spec, workspace, state]) mkdirSync(place);
  vi.stubEnv("XDG_STATE_HOME", state);
  return { spec, workspace, state };
}
const startingWith = (expected: string) =>
  expect.stringMatching(
    new RegExp(`^Cannot remember consent in \`[^\`]*\`, expected ${expected.replaceAll(/[.*+?^$()|[\]\\/]/g, "\\$&")}`),
  );
const unusable = (expected: string) =>
  expect.objectContaining({ code: "user-folder-unusable", message: startingWith(expected) });

describe("the user folder of a spec", () => {
  let { spec, workspace, state } = { spec: "", workspace: "", state: "" };
  beforeEach(() => {
    ({ spec, workspace, state } = places());
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  const find = (): string => userFolder(spec, workspace);

  it("is the same at each start, for the user alone, and different for each spec", () => {
    const folder = find();
    expect(dirname(dirname(folder))).toBe(state);
    expect(basename(folder)).toMatch(/^[0-9a-f]{32}$/);
    for (const each of [folder, dirname(folder)]) expect(statSync(each).mode & 0o777).toBe(0o700);
    expect(find()).toBe(folder);
    expect(userFolder(workspace, workspace)).not.toBe(folder);
  });

  it.each(["", "relative/folder"])("is below the user's home if no other place is given (%j)", (given) => {
    const home = join(state, "home");
    const { homedir } = os;
    onTestFinished(() => {
      os.homedir = homedir;
      syncBuiltinESMExports();
    });
    os.homedir = () => home;
    syncBuiltinESMExports();
    vi.stubEnv("XDG_STATE_HOME", given);
    expect(dirname(find())).toBe(join(home, ".local", "state", "fixpoint"));
    vi.stubEnv("XDG_STATE_HOME", undefined);
    expect(dirname(find())).toBe(join(home, ".local", "state", "fixpoint"));
    expect(statSync(join(home, ".local", "state", "fixpoint")).mode & 0o777).toBe(0o700);
    expect(readdirSync(state)).toEqual(["home"]);
  });

  it("belongs to the real path of a spec", () => {
    symlinkSync(spec, join(state, "link"));
    expect(userFolder(join(state, "link"), workspace)).toBe(find());
  });

  it.each([
    ["workspace", () => workspace],
    ["spec", () => spec],
  ])("is refused if it is in the %s", (_, place) => {
    vi.stubEnv("XDG_STATE_HOME", place());
    expect(find).toThrow(unusable(`a folder outside of \`${place()}\``));
  });

  it.each([
    ["the folder of all specs", () => join(state, "fixpoint")],
    ["the folder of the spec", find],
  ])("is refused if %s is a link, or others can write there", (_, place) => {
    const path = place();
    mkdirSync(path, { recursive: true });
    chmodSync(path, 0o770);
    expect(find).toThrow(unusable("a folder that only you may write to"));
    chmodSync(path, 0o700);
    renameSync(path, `${path}.real`);
    symlinkSync(`${path}.real`, path);
    expect(find).toThrow(unusable("a folder, not a link or a file"));
  });

  it("is refused if it is a file", () => {
    writeFileSync(join(state, "fixpoint"), "");
    const told = { code: "user-folder-unusable", hint: expect.stringContaining("XDG_STATE_HOME") };
    expect(find).toThrow(
      expect.objectContaining({
        ...told,
        message: expect.stringMatching(/in `.*fixpoint`, expected a writable folder \(.*EEXIST/),
        cause: expect.objectContaining({ code: "EEXIST" }),
      }),
    );
  });

  it.skipIf(process.getuid === undefined)("is refused if it belongs to another user", () => {
    const user = process as Required<Pick<typeof process, "getuid">>;
    const another = user.getuid() + 1;
    find();
    vi.spyOn(user, "getuid").mockReturnValue(another);
    expect(find).toThrow(unusable("a folder of the user who runs fixpoint"));
  });
});
