import { join } from "node:path";
import { isFolder } from "../../../adapters/files/folder.ts";
import { type HandedOutStore, type HandedWork, handedOutStore } from "../../../adapters/user/handed-out.ts";
import { userFolder } from "../../../adapters/user/user-folder.ts";
import { FixpointError } from "../../../model/errors.ts";
import { findSpec, type SpecFolder } from "../find-spec.ts";
import { findSpecs } from "../find-specs.ts";
import { stateOf } from "./hand-out.ts";

/**
 * Find the spec of a nonce: the active spec or, without one, any spec of the workspace.
 *
 * @param workspace Absolute.
 * @throws what `findSpec` throws
 */
export function specOfNonce(nonce: string, workspace: string): SpecFolder {
  const isOf = ({ folder }: SpecFolder): boolean => handedOf({ folder }, workspace).given(nonce) !== null;
  return specsOf(undefined, workspace).find(isOf) ?? findSpec(undefined, workspace, "next");
}

/**
 * List work that was handed out and is not reported yet.
 *
 * @param named The spec; by default the active one or, without one, all specs of the workspace.
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
    const folder = join(workspace, "specs");
    if (!isFolder(folder)) throw error;
    return findSpecs(folder).map((each) => findSpec(each, workspace, "next"));
  }
}
