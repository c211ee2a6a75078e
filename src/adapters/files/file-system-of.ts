import { statfsSync } from "node:fs";

/** Numbers that Linux gives them in `statfs`. */
const shared = new Map([
  [0x6969, "NFS"],
  [0x65735546, "FUSE"],
  [0x517b, "SMB 1"],
  [0x564c, "NCP"],
  [0x73757245, "Coda"],
  [0x5346414f, "AFS"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB 2"],
  [0x01021997, "9P"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
]);

/** Name of the file system of a folder when machines share it, or may; undefined otherwise, and when it is unknown. */
export function sharedFileSystem(folder: string): string | undefined {
  try {
    return shared.get(statfsSync(folder).type);
  } catch {
    return undefined;
  }
}
