import type { Menu } from '#shared/contract';
import { type MenuItem, menuGroups } from '#shared/menus';
import type { Words } from '#shared/text';

const groups: ReadonlyMap<string, Menu> = new Map(menuGroups.map((group) => [group.code, group]));

/** What an entry is called: as the server says in both languages; where it says it in one, the contract's title unless an administrator has given it another name. */
export function menuTitle({ code, name, words }: Pick<MenuItem, 'code' | 'name' | 'words'>, declared: ReadonlyMap<string, Menu>): Words {
  if (words) return words;
  const title = (declared.get(code) ?? groups.get(code))?.title;
  return title && title[0] === name ? title : [name, name];
}
