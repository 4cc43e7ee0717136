import { matchesSearch } from '#kernel';
import type { Branch } from '#shared/contract';
import type { GrantNode } from '../contract.ts';

export type GrantBranch = Branch<GrantNode>;
export type SelectedKeys = ReadonlySet<string>;

const page = 1;
/** Category of headings, which are selected through their children only. */
const heading = 0;

/** Returns how much of an entry and its descendants is selected. */
export function extentOf(node: GrantBranch, selected: SelectedKeys): 'all' | 'some' | 'none' {
  const { children = [], category } = node;
  if (children.length === 0) return selected.has(node.id) ? 'all' : 'none';
  const below = children.map((child) => extentOf(child, selected));
  if ((category === heading || selected.has(node.id)) && below.every((extent) => extent === 'all')) return 'all';
  return selected.has(node.id) || below.some((extent) => extent !== 'none') ? 'some' : 'none';
}

/** Selects an entry with all its descendants, or deselects them when all were selected. Ancestors are updated with it; a page stays selected without its buttons. */
export function toggled(forest: readonly GrantBranch[], id: string, selected: SelectedKeys): SelectedKeys {
  const path = pathTo(forest, id);
  const node = path.at(-1);
  if (!node) return selected;
  const next = new Set(selected);
  const isSelected = extentOf(node, selected) === 'all';
  for (const entryId of allOf([node])) {
    if (isSelected) next.delete(entryId);
    else next.add(entryId);
  }
  for (const ancestor of path.slice(0, -1).reverse()) {
    if (ancestor.category === heading) continue;
    const { children = [] } = ancestor;
    if (children.some((child) => extentOf(child, next) !== 'none')) next.add(ancestor.id);
    else if (children.some(({ category }) => category === page)) next.delete(ancestor.id);
  }
  return next;
}

/** Returns all entries that can be selected, at any depth. */
export const allOf = (forest: readonly GrantBranch[]): string[] =>
  forest.flatMap(({ id, category, children = [] }) => [...(category === heading ? [] : [id]), ...allOf(children)]);

/** Returns the entries whose titles contain the text or its pinyin, with their ancestors and descendants. */
export function matching(forest: readonly GrantBranch[], text: string): readonly GrantBranch[] {
  if (text.trim() === '') return forest;
  return forest.flatMap((node) => {
    if (matchesSearch(node.title, text)) return [node];
    const children = matching(node.children ?? [], text);
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
