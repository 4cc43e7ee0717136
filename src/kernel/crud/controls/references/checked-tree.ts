import type { ReferenceChoice } from '../../references/reference-store.ts';

export type CheckedKeys = ReadonlySet<string>;

/** Tells whether an entry and its descendants are checked completely, partly or not at all. */
export function extentOf({ value, children }: ReferenceChoice, checked: CheckedKeys): 'all' | 'some' | 'none' {
  if (children.length === 0) return checked.has(value) ? 'all' : 'none';
  const below = children.map((child) => extentOf(child, checked));
  if (checked.has(value) && below.every((extent) => extent === 'all')) return 'all';
  return checked.has(value) || below.some((extent) => extent !== 'none') ? 'some' : 'none';
}

/** Checks an entry with its descendants and ancestors, or unchecks it with its descendants where all were checked. */
export function toggled(forest: readonly ReferenceChoice[], value: string, checked: CheckedKeys): CheckedKeys {
  const way = wayTo(forest, value);
  const entry = way.at(-1);
  if (!entry) return checked;
  const next = new Set(checked);
  if (extentOf(entry, checked) === 'all') for (const each of valuesOf([entry])) next.delete(each);
  else for (const each of [...valuesOf([entry]), ...way.map((above) => above.value)]) next.add(each);
  return next;
}

/** Returns the entries whose titles contain the text, with their ancestors and descendants. */
export function foundIn(forest: readonly ReferenceChoice[], typed: string): readonly ReferenceChoice[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return forest;
  return forest.flatMap((entry) => {
    if (entry.title.toLowerCase().includes(wanted)) return [entry];
    const children = foundIn(entry.children, typed);
    return children.length > 0 ? [{ ...entry, children }] : [];
  });
}

const valuesOf = (forest: readonly ReferenceChoice[]): string[] => forest.flatMap(({ value, children }) => [value, ...valuesOf(children)]);

function wayTo(forest: readonly ReferenceChoice[], value: string): ReferenceChoice[] {
  for (const entry of forest) {
    if (entry.value === value) return [entry];
    const below = wayTo(entry.children, value);
    if (below.length > 0) return [entry, ...below];
  }
  return [];
}
