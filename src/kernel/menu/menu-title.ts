import type { Menu } from '#shared/contract';
import { type MenuItem, menuGroups } from '#shared/menus';
import type { Words } from '#shared/text';

const groups: ReadonlyMap<string, Menu> = new Map(menuGroups.map((group) => [group.code, group]));

/** What an entry is called: the contract's title in both languages, unless an administrator has given it a name of its own. */
export function menuTitle({ code, name }: Pick<MenuItem, 'code' | 'name'>, declared: ReadonlyMap<string, Menu>): Words {
  const title = (declared.get(code) ?? groups.get(code))?.title;
  return title && title[0] === name ? title : [name, name];
}
