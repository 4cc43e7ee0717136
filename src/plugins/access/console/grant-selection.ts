import type { Branch } from '#shared/contract';
import type { GrantNode } from '../contract.ts';

export type GrantBranch = Branch<GrantNode>;
export type Chosen = ReadonlySet<string>;

const page = 1;
/** A heading is chosen by what is below it, and is nothing itself. */
const heading = 0;

/** How much of an entry and of what is below it is chosen. */
export function extentOf(node: GrantBranch, chosen: Chosen): 'all' | 'some' | 'none' {
  const { children = [], category } = node;
  if (children.length === 0) return chosen.has(node.id) ? 'all' : 'none';
  const below = children.map((child) => extentOf(child, chosen));
  if ((category === heading || chosen.has(node.id)) && below.every((extent) => extent === 'all')) return 'all';
  return chosen.has(node.id) || below.some((extent) => extent !== 'none') ? 'some' : 'none';
}

/** Chooses an entry with all below it, or lets go of them where all were chosen. What leads there comes and goes with it; a page stays without its buttons. */
export function toggled(forest: readonly GrantBranch[], id: string, chosen: Chosen): Chosen {
  const path = pathTo(forest, id);
  const node = path.at(-1);
  if (!node) return chosen;
  const next = new Set(chosen);
  const isTaken = extentOf(node, chosen) === 'all';
  for (const each of allOf([node])) {
    if (isTaken) next.delete(each);
    else next.add(each);
  }
  for (const above of path.slice(0, -1).reverse()) {
    if (above.category === heading) continue;
    const { children = [] } = above;
    if (children.some((child) => extentOf(child, next) !== 'none')) next.add(above.id);
    else if (children.some(({ category }) => category === page)) next.delete(above.id);
  }
  return next;
}

/** Every entry that may be chosen, at whatever depth. */
export const allOf = (forest: readonly GrantBranch[]): string[] =>
  forest.flatMap(({ id, category, children = [] }) => [...(category === heading ? [] : [id]), ...allOf(children)]);

/** The entries whose titles hold the text, with what leads to them and what is below them. */
export function foundIn(forest: readonly GrantBranch[], text: string): readonly GrantBranch[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return forest;
  return forest.flatMap((node) => {
    if (node.title.toLowerCase().includes(wanted)) return [node];
    const children = foundIn(node.children ?? [], text);
    return children.length > 0 ? [{ ...node, children: [...children] }] : [];
  });
}

function pathTo(forest: readonly GrantBranch[], id: string): GrantBranch[] {
  for (const node of forest) {
    if (node.id === id) return [node];
    const below = pathTo(node.children ?? [], id);
    if (below.length > 0) return [node, ...below];
  }
  return [];
}
