import { execFileSync } from "node:child_process";
import { closeSync, constants, copyFileSync, ftruncateSync, openSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";

export interface Disk {
  readonly image: string;
  readonly folder: string;
  cut(image: string): void;
  unmount(): void;
}

const bytes = 16 * 1024 * 1024;
const mounted = new Set<string>();
process.once("exit", () => {
  for (const folder of mounted) unmountFolder(folder);
});

export function makeDisk(image: string, folder: string): Disk {
  const file = openSync(image, "wx");
  ftruncateSync(file, bytes);
  closeSync(file);
  execFileSync("mkfs.ext4", ["-q", "-F", "-m", "0", "-O", "^resize_inode", image]);
  const disk = mountDisk(image, folder);
  rmdirSync(join(folder, "lost+found"));
  return disk;
}

export function mountDisk(image: string, folder: string): Disk {
  // Disable background writes, because only synced data may reach the disk.
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
