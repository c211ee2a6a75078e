import { type FSWatcher, watch } from "node:fs";

/** Tells when something in folders changes. */
export interface Notice {
  /** Look at these folders and no others. One that cannot be looked at (yet) is tried again at the next call. */
  at(folders: readonly string[]): void;
  close(): void;
}

/** Have the system tell of changes in folders, where it does. */
export function noticeChanges(tell: () => void): Notice {
  const watchers = new Map<string, FSWatcher>();
  const leave = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  return {
    at: (folders) => {
      for (const folder of watchers.keys()) if (!folders.includes(folder)) leave(folder);
      for (const folder of folders) {
        if (watchers.has(folder)) continue;
        try {
          const watcher = watch(folder, (event, name) => {
            tell();
            // The folder itself was moved or taken away: whatever has its name is looked at anew.
            if (event === "rename" && name !== null && folder.endsWith(`/${name}`)) leave(folder);
          });
          watcher.on("error", () => leave(folder));
          watchers.set(folder, watcher);
        } catch {
          // Not there yet, or the system has no more of them: one looks from time to time anyway.
        }
      }
    },
    close: () => {
      for (const folder of [...watchers.keys()]) leave(folder);
    },
  };
}
