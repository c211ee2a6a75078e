/** A JSON object as a tool printed it; nothing about its fields is certain. */
export interface StreamEvent {
  readonly [field: string]: unknown;
}

/** The JSON object on a line; null for anything else. */
export function parseEvent(line: string): StreamEvent | null {
  if (!line.startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isEvent(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether a value is a JSON object. */
export const isEvent = (value: unknown): value is StreamEvent =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value inside an event; undefined where it has no such place. */
export function valueAt(event: StreamEvent, ...path: readonly string[]): unknown {
  let value: unknown = event;
  for (const field of path) value = isEvent(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  return value;
}

/** The text at a place; null for anything but a text. */
export function textAt(event: StreamEvent, ...path: readonly string[]): string | null {
  const value = valueAt(event, ...path);
  return typeof value === "string" ? value : null;
}

/** The number at a place, null for anything but a finite one of at least 0. */
export function amountAt(event: StreamEvent, ...path: readonly string[]): number | null {
  const value = valueAt(event, ...path);
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}

/** The object at a place; an empty one for anything else. */
export function eventAt(event: StreamEvent, ...path: readonly string[]): StreamEvent {
  const value = valueAt(event, ...path);
  return isEvent(value) ? value : {};
}

/** The objects of the list at a place; empty when there is no list. */
export function eventsAt(event: StreamEvent, ...path: readonly string[]): readonly StreamEvent[] {
  const value = valueAt(event, ...path);
  return Array.isArray(value) ? value.filter(isEvent) : [];
}
