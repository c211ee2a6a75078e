import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { beginHead, openHead, readHead } from "../../../src/adapters/user/run-head.ts";
import { lastingFolder } from "../../support/project.ts";

it.each([
  ["read", readHead],
  ["begun", (folder: string) => beginHead(folder, 1)],
  ["opened", (folder: string) => openHead(folder, 1)],
])("does not wait for a pipe when a head is %s", (_, use) => {
  const folder = lastingFolder();
  execFileSync("mkfifo", [join(folder, "run-1.head")]);
  expect(() => use(folder)).toThrow(
    expect.objectContaining({ code: "file-refused", message: expect.stringContaining("run-1.head") }),
  );
});
