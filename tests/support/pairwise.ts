/**
 * Returns few subsets of the items that together cover every pair: both items, the first without the second, the second without the first, and neither. The subsets
 * follow the bits of the indexes, no two of which are equal. For n items there are at most 2 + 2·⌈log2 n⌉.
 */
export function pairwise<Item>(items: readonly Item[]): Item[][] {
  const bits = Math.ceil(Math.log2(Math.max(2, items.length)));
  const halves = Array.from({ length: bits }, (_, bit) => [
    items.filter((_item, index) => (index >> bit) & 1),
    items.filter((_item, index) => !((index >> bit) & 1)),
  ]);
  return [[...items], [], ...halves.flat()];
}
