/** Calls `onLeave` for each of these document events outside the element; returns a function that stops listening. */
export function listenOutside(root: HTMLElement | null, events: readonly string[], onLeave: () => void): () => void {
  const onEvent = ({ target }: Event) => (target instanceof Node && root?.contains(target)) || onLeave();
  for (const name of events) document.addEventListener(name, onEvent);
  return () => {
    for (const name of events) document.removeEventListener(name, onEvent);
  };
}

/** Moves the focus among elements by an arrow key, Home or End; returns false for other keys. */
export function moveFocus(key: string, items: readonly HTMLElement[]): boolean {
  const index = nextIndex(key, items.indexOf(document.activeElement as HTMLElement), items.length);
  if (index === undefined) return false;
  items[index]?.focus();
  return true;
}

/** Returns the index a key moves to in a list of `count` entries; `undefined` for any other key. */
export function nextIndex(key: string, index: number, count: number): number | undefined {
  return { ArrowDown: (index + 1) % count, ArrowUp: (index - 1 + count) % count, Home: 0, End: count - 1 }[key];
}
