/** Counts the sources of unsaved changes: calls `tell` with true for the first and with false after the last. */
export function dirtySources(tell: (dirty: boolean) => unknown): (dirty: boolean, source?: object) => void {
  const sources = new Set<object>();
  const page = {};
  return (dirty, source = page) => {
    if (dirty) sources.add(source);
    else sources.delete(source);
    tell(sources.size > 0);
  };
}
