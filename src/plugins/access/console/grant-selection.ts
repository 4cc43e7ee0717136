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

/**
 * Selects an entry with its descendants, or deselects them when all were selected. Of a forest that a search has filtered, `shown`, only the entries that it shows are
 * changed. Ancestors are updated with it; a page stays selected without its buttons.
 */
export function toggled(forest: readonly GrantBranch[], id: string, selected: SelectedKeys, shown = forest): SelectedKeys {
  const node = pathTo(shown, id).at(-1);
  if (!node) return selected;
  const next = new Set(selected);
  const isSelected = extentOf(node, selected) === 'all';
  for (const entryId of selectableIds([node])) {
    if (isSelected) next.delete(entryId);
    else next.add(entryId);
  }
  for (const entry of pathTo(forest, id).reverse()) {
    if (entry.category === heading) continue;
    const { children = [] } = entry;
    if (children.some((child) => extentOf(child, next) !== 'none')) next.add(entry.id);
    else if (entry.id !== id && children.some(({ category }) => category === page)) next.delete(entry.id);
  }
  return next;
}

/** Returns the ids of all entries that can be selected, at any depth. */
export const selectableIds = (forest: readonly GrantBranch[]): string[] =>
  forest.flatMap(({ id, category, children = [] }) => [...(category === heading ? [] : [id]), ...selectableIds(children)]);

/** Returns the entries whose title, or the pinyin of their title, contains the text, with their ancestors and descendants. */
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
