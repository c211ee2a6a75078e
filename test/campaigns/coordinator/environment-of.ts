import { join } from "node:path";
import type { Project } from "./project.ts";

const foreign = /^(?:GIT_|GH_|GITHUB_|NODE_|FIXPOINT_|npm_)/;

export function environmentOf({ folder, forge }: Pick<Project, "folder" | "forge">): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const { PATH = "" } = process.env;
  return {
    ...Object.fromEntries(inherited),
    PATH: `${join(folder, "bin")}:${PATH}`,
    TMPDIR: join(folder, "tmp"),
    HOME: folder,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    ...person("AUTHOR"),
    ...person("COMMITTER"),
    ...forge?.env,
  };
}

const person = (part: string): NodeJS.ProcessEnv => ({
  [`GIT_${part}_NAME`]: "A person",
  [`GIT_${part}_EMAIL`]: "person@example.com",
});
