/** Milliseconds as a person reads them: `500ms`, `42s`, `3m 12s`, `2h 5m`. */
export function renderDuration(ms: number): string {
  if (ms < 1000) return `${ms}ms`;
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours > 0) return join(`${hours}h`, minutes % 60, "m");
  return minutes > 0 ? join(`${minutes}m`, seconds % 60, "s") : `${seconds}s`;
}

const join = (large: string, small: number, unit: string): string => (small === 0 ? large : `${large} ${small}${unit}`);
