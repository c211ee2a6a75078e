import { type HandedOutStore, type HandedWork, handedOutStore } from "../../../adapters/user/handed-out.ts";
import { userFolder } from "../../../adapters/user/user-folder.ts";
import { FixpointError, InputError } from "../../../model/errors.ts";
import { findSpec, type SpecFolder } from "../find-spec.ts";
import { specsIn } from "../find-specs.ts";
import { stateOf } from "./hand-out.ts";

/**
 * Find the spec of a nonce: the active spec or, if there is none, any spec of the workspace.
 *
 * @param workspace Absolute.
 * @throws {InputError} `nonce-unknown` if several specs are possible and none knows the nonce; what `findSpec` throws
 */
export function specOfNonce(nonce: string, workspace: string): SpecFolder {
  const isOf = ({ folder }: SpecFolder): boolean => handedOf({ folder }, workspace).given(nonce) !== null;
  const specs = specsOf(undefined, workspace);
  const [only, ...others] = specs;
  const found = specs.find(isOf) ?? (others.length === 0 ? only : undefined);
  if (found !== undefined) return found;
  throw new InputError(`Cannot take the report, expected the nonce of handed-out work of a spec in \`${workspace}\``, {
    code: "nonce-unknown",
    hint: "For a spec elsewhere, name the spec after the nonce, or its workspace with --cwd",
  });
}

/**
 * List work that was handed out and is not reported yet.
 *
 * @param named The spec; by default the active spec or, if there is none, all specs of the workspace.
 * @param workspace Absolute.
 * @throws what `findSpec` throws
 */
export function openWorkIn(
  named: string | undefined,
  workspace: string,
): readonly { readonly work: HandedWork; readonly handed: HandedOutStore }[] {
  return specsOf(named, workspace).flatMap((spec) => {
    const handed = handedOf(spec, workspace);
    return Object.values(stateOf(spec)?.turn.handedOut ?? {}).flatMap(({ nonceHash }) => {
      const work = handed.find(nonceHash);
      return work === null ? [] : [{ work, handed }];
    });
  });
}

const handedOf = ({ folder }: Pick<SpecFolder, "folder">, workspace: string): HandedOutStore =>
  handedOutStore(userFolder(folder, workspace));

function specsOf(named: string | undefined, workspace: string): SpecFolder[] {
  try {
    return [findSpec(named, workspace, "next")];
  } catch (error) {
    if (!(error instanceof FixpointError) || error.code !== "spec-not-named") throw error;
    return specsIn(workspace).map((each) => findSpec(each, workspace, "next"));
  }
}
