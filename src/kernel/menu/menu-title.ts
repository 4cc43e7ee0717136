import type { Menu } from '#shared/contract';
import type { MenuItem } from '#shared/menus';
import type { Words } from '#shared/text';

/**
 * Returns the title of a menu entry: the server's title in both languages; if the server has one language only, the contract's title unless an
 * administrator has renamed the entry.
 */
export function menuTitle({ code, name, words }: Pick<MenuItem, 'code' | 'name' | 'words'>, declared: ReadonlyMap<string, Menu>): Words {
  if (words) return words;
  const title = declared.get(code)?.title;
  return title && title[0] === name ? title : [name, name];
}
