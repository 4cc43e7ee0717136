import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  apiScope: ['接口权限', 'API scope'],
  dataScope: ['数据权限', 'data scope'],
  menu: ['菜单', 'menu'],
  role: ['角色', 'role'],
  topMenu: ['顶部菜单', 'top menu'],
} as const satisfies Record<string, LocalizedText>;
