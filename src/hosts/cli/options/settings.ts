import type { Severities } from "../../../markdown/lint/apply-severities.ts";
import type { PolicyInput } from "../../../model/policy.ts";
import { type SupportingRole, supportingRoles } from "../../../model/role.ts";
import type { LadderChoices, Rung } from "../../../model/rung.ts";

/** Arguments of known tools, by name. */
export type ExecutorArgs = Readonly<Record<string, string>>;

export const reporterNames = ["tree", "plain", "json"] as const;
export type ReporterName = (typeof reporterNames)[number];

/** The options with the command lines of supporting roles. */
type RoleCommands = { readonly [Name in RoleOption]?: string | undefined };
type RoleOption = `${SupportingRole}Exec`;
export const roleOptions = supportingRoles.map((role) => ({ role, name: `${role}Exec` satisfies RoleOption }));

/** A value for each of these options. */
export const forRoles = <Value>(value: (name: RoleOption, role: SupportingRole) => Value) =>
  Object.fromEntries(roleOptions.map(({ role, name }) => [name, value(name, role)])) as Record<RoleOption, Value>;

/** What a command was told, by a file or by its command line; what neither says is absent. */
export interface Settings extends RoleCommands {
  /** Limits and choices that were given; none of the others, since a continued run keeps what it recorded. */
  readonly policy: PolicyInput;
  /** What is added to the ladder that a run has, and taken from it. */
  readonly ladder?: LadderChoices | undefined;
  /** Names of known tools; each stands in for the one before. */
  readonly executor?: readonly string[] | undefined;
  /** Who does the attempts that a rung of the ladder leads to, as a person writes it behind `fix:`. */
  readonly rungs?: Readonly<Partial<Record<Rung, string>>> | undefined;
  /** Command line of the executor, also of the one known tool that is named. */
  readonly exec?: string | undefined;
  /** Arguments of known tools, by name. */
  readonly executorArgs?: ExecutorArgs | undefined;
  /** Have the known tools that can claim in the form of a schema. */
  readonly structuredClaim?: boolean | undefined;
  /** Workspace, absolute or relative to where it was written. */
  readonly cwd?: string | undefined;
  /** Work there beside the run of another spec. */
  readonly shareWorkspace?: boolean | undefined;
  readonly reporter?: ReporterName | undefined;
  /** The command that tells a person what needs them; `off` for none. */
  readonly notify?: string | undefined;
  /** How much problems of the plan weigh. */
  readonly lint?: Severities | undefined;
}
