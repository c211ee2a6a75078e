import { spawnSync } from "node:child_process";
import { onTestFinished } from "vitest";

/** Put a small disk at a folder until the end of the test; false where none can be mounted. */
export function mountSmall(folder: string, size = "64k"): boolean {
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]);
  if (status === 0) onTestFinished(() => void spawnSync("umount", ["-l", folder]));
  return status === 0;
}
