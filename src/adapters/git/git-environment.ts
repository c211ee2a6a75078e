import type { Environment } from "../processes/run-command.ts";

/** A private repository over a working tree of the user. Paths are absolute. */
export interface Store {
  readonly folder: string;
  readonly workTree: string;
  readonly index: string;
  /**
   * Objects of another repository. Use it only for calls that write no objects: git would update the time of an
   * existing object instead of writing it.
   */
  readonly objects?: string;
  /** Folder to which git writes objects, in place of the repository's own folder. */
  readonly objectFolder?: string;
  /** Whether the user's settings, such as filters and logins, apply to this repository (false by default). */
  readonly isUsers?: boolean;
}

/**
 * Return the environment of a git call: the given variables, except those that redirect git.
 *
 * @param remote Whether the call may access a remote.
 * @param store The private repository to use.
 */
export const gitEnvironment = (env: Environment, remote: boolean, store?: Store): Environment => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !misleading.test(name))),
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_LITERAL_PATHSPECS: "1",
  // Override the repository's configuration, which could allow a transport to run any command.
  GIT_ALLOW_PROTOCOL: remote ? (env["GIT_ALLOW_PROTOCOL"] ?? "file:git:http:https:ssh") : "none",
  ...(!remote && { GIT_NO_LAZY_FETCH: "1" }),
  // Our parsers need git's messages in English.
  LC_ALL: "C",
  ...(store !== undefined && storeEnvironment(store)),
});

const storeEnvironment = ({ folder, workTree, index, objects, objectFolder, isUsers }: Store): Environment => ({
  GIT_DIR: folder,
  GIT_WORK_TREE: workTree,
  GIT_INDEX_FILE: index,
  ...(objects !== undefined && { GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(objects) }),
  ...(objectFolder !== undefined && { GIT_OBJECT_DIRECTORY: objectFolder }),
  ...(isUsers !== true && {
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_COUNT: "0",
    GIT_ATTR_NOSYSTEM: "1",
  }),
});

/** Match variables that redirect git, make it read paths as patterns, or add output. */
const misleading =
  /^GIT_(?:DIR|WORK_TREE|IMPLICIT_WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|QUARANTINE_PATH|NAMESPACE|PREFIX|INTERNAL_SUPER_PREFIX|GRAFT_FILE|SHALLOW_FILE|REPLACE_REF_BASE|CONFIG|CONFIG_PARAMETERS|(?:GLOB|NOGLOB|ICASE)_PATHSPECS|TRACE\w*)$/;
