import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { CliCommand } from "../../../src/hosts/cli/cli-command.ts";
import { callCli } from "./call-cli.ts";
import { willing, workspaceWith } from "./sample-spec.ts";

const folder = join(import.meta.dirname, "../../../src/hosts/cli/commands");

const files = readdirSync(folder);
const loaded: Record<string, CliCommand>[] = await Promise.all(
  files.map((file) => import(pathToFileURL(join(folder, file)).href)),
);
/** The variable `exportRun` holds the options of `export`, which is a reserved word. */
const nameOf = (exported: string): string =>
  exported.replace(/Run$/, "").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const commands = loaded
  .flatMap((exports) => Object.entries(exports))
  .filter(([, { options }]) => options !== undefined)
  .map(([exported, { options }]) => ({ name: nameOf(exported), options }));

describe("the options of every command", () => {
  it("cover exactly the existing commands", async () => {
    const { out } = await callCli(folder, ["--help"]);
    const listed = [...out.matchAll(/^ {2}([a-z-]+) [[< ]/gm)].map(([, name]) => name);
    expect(listed.filter((name) => name !== "help").sort()).toEqual(commands.map(({ name }) => name).sort());
  });

  it.each(commands)("take a value or none, never optionally: $name", ({ options }) => {
    expect(options.map(({ flags }) => flags).filter((flags) => !/^--[a-z-]+(?: <[a-z]+>)?$/.test(flags))).toEqual([]);
  });

  it("leave the argument after a switch to the command: `run --yes demo` starts demo", async () => {
    const workspace = workspaceWith();
    const { exitCode, out } = await callCli(workspace, ["run", "--exec", willing(workspace), "--yes", "demo"]);
    expect(exitCode).toBe(0);
    expect(out).toContain("Starting execution for 'demo'");
  });
});
