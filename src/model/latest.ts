export interface Latest<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** @param most Maximum number of kept values; the least recently used value is dropped. */
export function latest<Value>(most: number): Latest<Value> {
  const kept = new Map<string, Value>();
  const set = (key: string, value: Value): void => {
    kept.delete(key);
    kept.set(key, value);
    for (const oldest of [...kept.keys()].slice(0, -most)) kept.delete(oldest);
  };
  return {
    get: (key) => {
      const value = kept.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
  };
}
