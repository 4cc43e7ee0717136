/** Counts who holds unsaved changes: `tell` hears true with the first and false with the last of them. */
export function dirtySources(tell: (dirty: boolean) => unknown): (dirty: boolean, source?: object) => void {
  const sources = new Set<object>();
  const page = {};
  return (dirty, source = page) => {
    if (dirty) sources.add(source);
    else sources.delete(source);
    tell(sources.size > 0);
  };
}
