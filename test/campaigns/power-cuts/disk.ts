import { execFileSync } from "node:child_process";
import { closeSync, constants, copyFileSync, ftruncateSync, openSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** A small ext4 file system in a file. */
export interface Disk {
  readonly image: string;
  /** Where it is mounted, and in use. */
  readonly folder: string;
  /** What would be on it after a power cut at this moment: what is in memory only is lost. */
  cut(image: string): void;
  /** Take it away, whatever still uses it. */
  unmount(): void;
}

const bytes = 16 * 1024 * 1024;
const mounted = new Set<string>();
process.once("exit", () => {
  for (const folder of mounted) unmountFolder(folder);
});

/** Make an empty disk, which takes the place of what is in a folder. */
export function makeDisk(image: string, folder: string): Disk {
  const file = openSync(image, "wx");
  ftruncateSync(file, bytes);
  closeSync(file);
  execFileSync("mkfs.ext4", ["-q", "-F", "-m", "0", "-O", "^resize_inode", image]);
  const disk = mountDisk(image, folder);
  rmdirSync(join(folder, "lost+found"));
  return disk;
}

/** Mount a disk again, as after a power cut: its own journal is replayed. */
export function mountDisk(image: string, folder: string): Disk {
  // Nothing is written by and by: what was not asked to be on the disk is not there.
  execFileSync("mount", ["-o", "loop,commit=600,noauto_da_alloc", image, folder], { stdio: "pipe" });
  mounted.add(folder);
  return {
    image,
    folder,
    cut: (copy) => copyFileSync(image, copy, constants.COPYFILE_EXCL),
    unmount: () => {
      unmountFolder(folder);
      mounted.delete(folder);
      rmSync(image, { force: true });
    },
  };
}

function unmountFolder(folder: string): void {
  try {
    execFileSync("umount", [folder], { stdio: "pipe" });
  } catch {
    execFileSync("umount", ["-l", folder], { stdio: "pipe" });
  }
}
