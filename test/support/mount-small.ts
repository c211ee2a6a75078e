import { spawnSync } from "node:child_process";
import { onTestFinished } from "vitest";

export function mountSmall(folder: string, size = "64k"): boolean {
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]);
  if (status === 0) onTestFinished(() => void spawnSync("umount", ["-l", folder]));
  return status === 0;
}
