import { statfsSync } from "node:fs";

/** A file system that is shared by machines, or may be. */
export interface SharedFileSystem {
  readonly name: string;
  /** Whether of several who create one file only one is told that it has. */
  readonly createsAlone: boolean;
}

const shares = (name: string, createsAlone = true): SharedFileSystem => ({ name, createsAlone });

/** What `statfs` of Linux calls them. */
const shared = new Map([
  [0x6969, shares("NFS", false)],
  [0x65735546, shares("FUSE", false)],
  [0x517b, shares("SMB 1", false)],
  [0x564c, shares("NCP", false)],
  [0x73757245, shares("Coda", false)],
  [0x5346414f, shares("AFS", false)],
  [0xff534d42, shares("CIFS")],
  [0xfe534d42, shares("SMB 2")],
  [0x01021997, shares("9P")],
  [0x00c36400, shares("Ceph")],
  [0x0bd00bd0, shares("Lustre")],
]);

/** The shared file system on which a folder lies; undefined where it lies on none, or that cannot be told. */
export function sharedFileSystem(folder: string): SharedFileSystem | undefined {
  try {
    return shared.get(statfsSync(folder).type);
  } catch {
    return undefined;
  }
}
