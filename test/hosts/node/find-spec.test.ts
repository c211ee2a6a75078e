import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findSpec, specAddress, specNames } from "../../../src/hosts/node/find-spec.ts";
import { temporaryFolder } from "../../support/folder.ts";

function workspaceWith(folders: readonly string[]): string {
  const workspace = realpathSync(temporaryFolder());
  for (const folder of folders) {
    mkdirSync(join(workspace, folder), { recursive: true });
    writeFileSync(join(workspace, folder, "tasks.md"), "- [ ] 1.1 One\n");
  }
  return workspace;
}

function workspaceOf(specs: readonly string[], active?: string): string {
  const workspace = workspaceWith(specs.map((spec) => join("specs", spec)));
  if (active !== undefined) writeFileSync(join(workspace, "specs", ".current-spec"), active);
  return workspace;
}

const refusal = (spec: string | undefined, workspace: string, command?: string) => {
  try {
    return findSpec(spec, workspace, command);
  } catch (error) {
    return error;
  }
};

describe("findSpec", () => {
  it("finds the given spec by name or folder, else the active one, else the only one", () => {
    const workspace = workspaceOf(["cart", "shop"], "shop\n");
    const folder = join(workspace, "specs", "cart");
    for (const named of ["cart", "specs/cart", folder]) {
      expect(findSpec(named, workspace)).toEqual({
        ...{ name: "cart", folder, tasksPath: join(folder, "tasks.md"), progressPath: join(folder, ".progress.md") },
        ...{ statePath: join(folder, ".ralph-state.json"), dataFolder: join(folder, ".fixpoint") },
      });
    }
    expect(findSpec(undefined, workspace).name).toBe("shop");
    expect(findSpec(undefined, workspaceOf(["cart"])).name).toBe("cart");
    expect(findSpec(undefined, workspaceOf(["cart"], " \n")).name).toBe("cart");
  });

  it.each([
    ".claude/specs/cart",
    ".kiro/specs/cart",
    ".planning/phases/cart",
    ".spec-workflow/specs/cart",
    ".specify/specs/cart",
    "openspec/changes/cart",
    "specs/001-cart",
    "packages/shop/.kiro/specs/cart",
    "docs/cart",
  ])("finds %s by its name, as the only spec, and by its tasks.md", (path) => {
    const workspace = workspaceWith([path, "openspec/changes/archive/old"]);
    const folder = join(workspace, path);
    const name = basename(path);
    for (const named of [name, undefined, path, `${path}/tasks.md`]) {
      expect(findSpec(named, workspace)).toMatchObject({ name, folder });
    }
    const isPlaced = !path.startsWith("packages") && !path.startsWith("docs");
    expect(specNames(workspace)).toEqual(isPlaced ? [name] : []);
    const address = specAddress({ folder, name }, { from: workspace });
    expect(address.path).toBe(isPlaced ? name : path);
  });

  it("lists the paths of several specs with the name", () => {
    const placed = workspaceWith(["specs/cart", ".kiro/specs/cart", "openspec/changes/shop"]);
    expect(refusal("cart", placed, "watch")).toMatchObject({
      ...{ blame: "input", code: "spec-ambiguous", hint: "Give the path of one: fixpoint watch .kiro/specs/cart" },
      message: "Cannot choose among 2 specs named `cart`: .kiro/specs/cart, specs/cart",
    });
    expect(findSpec("specs/cart", placed).folder).toBe(join(placed, "specs/cart"));
    expect(specNames(placed)).toEqual([".kiro/specs/cart", "shop", "specs/cart"]);
    expect(specAddress({ folder: join(placed, "specs/cart"), name: "cart" }, { from: placed }).path).toBe("specs/cart");
    const elsewhere = workspaceWith(["a/cart", "b/cart"]);
    expect(refusal("cart", elsewhere)).toMatchObject({
      message: "Cannot choose among 2 specs named `cart`: a/cart, b/cart",
    });
    expect(refusal(undefined, elsewhere)).toMatchObject({
      ...{ code: "spec-not-named", hint: "Name the spec, such as: fixpoint run a/cart" },
    });
  });

  it("names only a few of many specs, in errors of one line", () => {
    const many = Array.from({ length: 30 }, (_, at) => `p${at}/cart`);
    expect(refusal("cart", workspaceWith(many))).toMatchObject({
      ...{ code: "spec-ambiguous", hint: "Give the path of one: fixpoint run p0/cart" },
      message: expect.stringMatching(
        /^Cannot choose among 30 specs named `cart`: (?:p\d+\/cart, ){7}p\d+\/cart and 22 more$/,
      ),
    });
    const placed = workspaceOf(many.map((path) => path.replace("/", "-")));
    expect(refusal("a/b", placed)).toMatchObject({
      message: expect.stringMatching(/; specs found: (?:p\d+-cart, ){7}p\d+-cart and 22 more$/),
    });
  });

  it("prefers the folder of that name with a plan, and counts a place and a link to it once", () => {
    const workspace = workspaceWith([".kiro/specs/cart"]);
    mkdirSync(join(workspace, "specs", "cart"), { recursive: true });
    expect(findSpec("cart", workspace).folder).toBe(join(workspace, ".kiro/specs/cart"));
    const linked = workspaceWith(["specs/cart"]);
    mkdirSync(join(linked, ".kiro"));
    symlinkSync("../specs", join(linked, ".kiro", "specs"));
    expect(findSpec("cart", linked).folder).toBe(join(linked, "specs/cart"));
  });

  it("prefers a folder of that name that is itself a spec", () => {
    const workspace = workspaceOf(["cart"]);
    mkdirSync(join(workspace, "cart"));
    expect(findSpec("cart", workspace).folder).toBe(join(workspace, "specs", "cart"));
    writeFileSync(join(workspace, "cart", "tasks.md"), "- [ ] 1.1 One\n");
    expect(findSpec("cart", workspace).folder).toBe(join(workspace, "cart"));
  });

  it.each([
    [["cart", "shop"], undefined, "; specs found: cart, shop", "Name the spec, such as: fixpoint watch cart"],
    [[], undefined, "", "Write a plan, such as specs/my-feature/tasks.md, or find one: fixpoint init"],
  ] as const)("requires the spec if there are %j and none is active", (specs, active, found, hint) => {
    expect(refusal(undefined, workspaceOf(specs, active), "watch")).toMatchObject({
      ...{ blame: "input", code: "spec-not-named", hint },
      message: `No active spec. Expected its name in \`specs/.current-spec\`${found}`,
    });
  });

  it("refuses an invalid name of the active spec, also if there is only one spec", () => {
    expect(refusal(undefined, workspaceOf(["cart"], "../cart"))).toMatchObject({
      ...{ code: "spec-not-named", hint: "Name the spec: fixpoint run cart" },
      message: "Cannot use the active spec `../cart`, expected a plain folder name in `specs/.current-spec`",
    });
  });

  it("names the missing spec, and suggests the nearest", () => {
    const workspace = workspaceOf(["cart", "shop"]);
    expect(refusal("carts", workspace)).toMatchObject({
      ...{ code: "spec-missing", hint: "Did you mean cart?" },
      message: `Spec directory missing at ${join(workspace, "specs", "carts")}; specs found: cart, shop`,
    });
    expect(refusal("a/b", workspace, "lint")).toMatchObject({
      ...{ code: "spec-missing", hint: "Name the spec, such as: fixpoint lint cart" },
      message: `Spec directory missing at ${join(workspace, "a", "b")}; specs found: cart, shop`,
    });
    expect(refusal("cart", join(workspace, "nowhere"))).toMatchObject({ code: "workspace-missing" });
  });

  it("refuses a name that leads out of the folder of specs", () => {
    const workspace = workspaceOf(["cart"]);
    const outside = workspaceOf(["shop"]);
    symlinkSync(join(outside, "specs", "shop"), join(workspace, "specs", "shop"));
    symlinkSync(".", join(workspace, "specs", "here"));
    for (const name of ["shop", "here"]) {
      expect(refusal(name, workspace)).toMatchObject({
        ...{ code: "spec-missing", hint: "Give the folder of the spec instead of its name" },
        message: `Cannot use the spec \`${name}\`, expected a folder inside \`${join(workspace, "specs")}\``,
      });
    }
    expect(findSpec("specs/shop", workspace).folder).toBe(join(outside, "specs", "shop"));
  });

  it("requires a plan in the folder", () => {
    const workspace = workspaceOf([]);
    mkdirSync(join(workspace, "docs"));
    expect(refusal("docs", workspace)).toMatchObject({
      ...{ code: "tasks-missing", hint: "Write the plan there first" },
      message: `Tasks file missing at ${join(workspace, "docs", "tasks.md")}`,
    });
  });

  it("refuses a plan that is not a regular file of the spec", () => {
    const workspace = workspaceOf(["cart"]);
    mkdirSync(join(workspace, "specs", "shop", "tasks.md"), { recursive: true });
    mkdirSync(join(workspace, "specs", "link"));
    symlinkSync(join(workspace, "specs", "cart", "tasks.md"), join(workspace, "specs", "link", "tasks.md"));
    for (const name of ["shop", "link"]) expect(refusal(name, workspace)).toMatchObject({ code: "tasks-unusable" });
  });
});
