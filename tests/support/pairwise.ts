/**
 * Few subsets of the items in which every two of them stand together, the first without the second, the second without the first, and neither: by the bits of their places, no two of which are alike.
 * For n items 2 + 2·⌈log2 n⌉ at most.
 */
export function pairwise<Item>(items: readonly Item[]): Item[][] {
  const bits = Math.ceil(Math.log2(Math.max(2, items.length)));
  const halves = Array.from({ length: bits }, (_, bit) => [
    items.filter((_item, place) => (place >> bit) & 1),
    items.filter((_item, place) => !((place >> bit) & 1)),
  ]);
  return [[...items], [], ...halves.flat()];
}
