import * as z from "zod";
import type { CliCommand } from "../cli-command.ts";
import { flag, readGiven, switchesOf } from "../options/read-flag.ts";
import { nextOptions } from "./next.ts";

const mcpOptions = {
  http: flag(
    z.int().min(0).max(65_535),
    "--http <port>",
    "serve on this port of 127.0.0.1 instead of standard input and output (0: any free port); the address and its token are printed",
  ),
};

export const mcp: CliCommand = {
  options: [...nextOptions, ...switchesOf(mcpOptions)],
  example: "fixpoint mcp my-feature --recovery-mode",
  async run({ words: [spec], values, surroundings }) {
    const { http, ...options } = values;
    const { http: port } = readGiven(mcpOptions, { http });
    const { serveMcp } = await import("../mcp/serve-mcp.ts");
    await serveMcp(spec, options, surroundings, port ?? null);
    return 0;
  },
};
