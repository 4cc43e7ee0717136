import type { MenuItem } from '#shared/menus';
import { type Language, type LocalizedText, localize } from '#shared/text';
import type { MenuRow } from './menu-rows.ts';

/** Returns the title of a row in both languages; without an English name both are the same. */
export const wordsOf = ({ name, nameEn }: Pick<MenuRow, 'name' | 'nameEn'>): LocalizedText => [name, nameEn || name];

/** Builds the tree of the wire format; a row without its parent becomes a root. */
export function treeOf(rows: readonly MenuRow[], language: Language): MenuItem[] {
  const items = new Map<string, MenuItem>(rows.map((row) => [row.id, itemOf(row, language)]));
  const top: MenuItem[] = [];
  for (const item of items.values()) {
    const parent = items.get(item.parentId);
    if (parent && parent !== item) {
      parent.children ??= [];
      parent.children.push(item);
    } else {
      item.parentId = '0';
      top.push(item);
    }
  }
  return top;
}

function itemOf({ seededAs: _seededAs, nameEn, query, ...row }: MenuRow, language: Language): MenuItem {
  const title = wordsOf({ name: row.name, nameEn });
  return { ...row, ...(query ? { query: Object.fromEntries(new URLSearchParams(query)) } : {}), name: localize(title, language), words: title };
}
