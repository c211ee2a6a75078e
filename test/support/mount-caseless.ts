import { spawn, spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./folder.ts";
import { until } from "./until.ts";

/** Mounts exFAT, which ignores case, until the end of the test. Null if that is impossible. */
export async function caselessFolder(): Promise<string | null> {
  const [image, folder] = [join(temporaryFolder(), "image"), temporaryFolder()];
  closeSync(openSync(image, "w"));
  truncateSync(image, 64 * 1024 * 1024);
  if (spawnSync("mkfs.exfat", [image]).status !== 0) return null;
  const device = spawnSync("losetup", ["--find", "--show", image], { encoding: "utf8" });
  if (device.status !== 0) return null;
  onTestFinished(() => void spawnSync("losetup", ["--detach", device.stdout.trim()]));
  // Without `-d`, the program would leave its process group and outlive the test.
  const served = spawn("mount.exfat-fuse", ["-d", device.stdout.trim(), folder], { stdio: "ignore" });
  let isOver = false;
  for (const event of ["error", "exit"]) served.on(event, () => (isOver = true));
  onTestFinished(() => void spawnSync("umount", ["-l", folder]));
  const isMounted = (): boolean => readFileSync("/proc/mounts", "utf8").includes(` ${folder} `);
  await until(() => isOver || isMounted());
  return isMounted() ? folder : null;
}
