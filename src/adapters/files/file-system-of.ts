import { statfsSync } from "node:fs";

/** A file system that machines share, or may share. */
export interface SharedFileSystem {
  readonly name: string;
  /** Whether only one of several processes that create the same file is told that it has. */
  readonly createsAlone: boolean;
}

const shares = (name: string, createsAlone = true): SharedFileSystem => ({ name, createsAlone });

/** Numbers that Linux gives them in `statfs`. */
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

/** The shared file system that a folder is on; undefined when it is on none, or when that is unknown. */
export function sharedFileSystem(folder: string): SharedFileSystem | undefined {
  try {
    return shared.get(statfsSync(folder).type);
  } catch {
    return undefined;
  }
}
