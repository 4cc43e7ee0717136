import type { Static } from 'typebox';
import * as Type from 'typebox';
import { entity, TreeNode } from '../contract/contract.ts';
import { Id, Integer, Nullable, Parent, Select, Text } from '../contract/fields.ts';
import { addressPattern } from '../text/text.ts';

const menuKinds = [
  [1, ['菜单', 'Menu']],
  [2, ['按钮', 'Button']],
] as const;
const buttonPositions = [
  [0, ['无', 'None']],
  [1, ['工具栏', 'Toolbar']],
  [2, ['操作栏', 'Row actions']],
  [3, ['工具操作栏', 'Toolbar and row actions']],
] as const;
const noYes = [
  [1, ['否', 'No']],
  [2, ['是', 'Yes']],
] as const;

/** A menu entry: a group, a page, an external link, or a button with its permission code. */
export const Menu = entity(
  'menu',
  {
    id: Id(),
    parentId: Parent({ title: ['上级菜单', 'Parent'], list: false }),
    category: Select({ title: ['类型', 'Type'], options: menuKinds, default: 1, search: true, tones: { 1: 'brand', 2: 'neutral' } }),
    name: Text({ title: ['名称', 'Name'], maxLength: 64, search: true, englishIn: 'nameEn' }),
    nameEn: Nullable(Text({ title: ['英文名称', 'English name'], maxLength: 64, search: true, list: false })),
    code: Text({
      title: ['编号', 'Code'],
      maxLength: 64,
      search: true,
      copyable: true,
      help: ['按钮的编号即权限码', 'The code of a button is its permission code.'],
    }),
    alias: Text({ title: ['别名', 'Alias'], maxLength: 64, search: true, list: false, placeholder: ['menu', 'menu'] }),
    path: Nullable(
      Text({
        title: ['地址', 'Address'],
        maxLength: 512,
        pattern: addressPattern,
        requiredWhen: { field: 'category', is: 1 },
        help: ['以 http 开头的为外部链接', 'Addresses starting with http open an external page.'],
      }),
    ),
    query: Nullable(
      Text({
        title: ['地址参数', 'Parameters'],
        maxLength: 512,
        list: false,
        visible: { field: 'category', is: 1 },
        placeholder: ['status=1&type=2', 'status=1&type=2'],
        help: ['随地址传给页面，列表页据此筛选', 'Parameters passed to the page in its address. Lists use them as filters.'],
      }),
    ),
    source: Nullable(Text({ title: ['图标', 'Icon'], maxLength: 128 })),
    component: Nullable(Text({ title: ['组件', 'Component'], list: false, visible: { field: 'category', is: 1 } })),
    sort: Integer({ title: ['排序', 'Sort order'], default: 1 }),
    action: Select({
      title: ['按钮位置', 'Button position'],
      options: buttonPositions,
      default: 0,
      list: false,
      visible: { field: 'category', is: 2 },
      keepWhenHidden: true,
    }),
    keepAlive: Select({
      title: ['缓存页面', 'Keep page alive'],
      options: noYes,
      default: 2,
      list: false,
      visible: { field: 'category', is: 1 },
      help: ['切换标签后保留页面内容；否则返回时重新打开', 'The page keeps its state when you switch tabs. Otherwise it reloads.'],
    }),
    isOpen: Select({
      title: ['在新窗口打开', 'Open in new window'],
      options: noYes,
      default: 1,
      list: false,
      visible: { field: 'category', is: 1 },
      aliases: { 0: 1 },
    }),
    remark: Nullable(Text({ title: ['备注', 'Remark'] })),
  },
  { owner: 'platform', order: ['sort'] },
);

/** A section of the console with pages of its own, selected in the top bar. */
export const TopMenu = entity(
  'top_menu',
  {
    id: Id(),
    name: Text({ title: ['名称', 'Name'], maxLength: 64, search: true, englishIn: 'nameEn' }),
    nameEn: Nullable(Text({ title: ['英文名称', 'English name'], maxLength: 64, list: false })),
    code: Text({ title: ['编号', 'Code'], maxLength: 64, search: true, copyable: true }),
    source: Nullable(Text({ title: ['图标', 'Icon'], maxLength: 128 })),
    path: Nullable(Text({ title: ['地址', 'Address'], pattern: addressPattern, list: false })),
    sort: Integer({ title: ['排序', 'Sort order'], default: 1 }),
  },
  { owner: 'platform', order: ['sort'] },
);

/** A menu entry in a grant tree; `category` as in the menu: 1 menu, 2 button. */
export const GrantNode = Type.Object({ ...TreeNode.properties, category: Integer({ title: ['类型', 'Type'] }) });
export type GrantNode = Static<typeof GrantNode>;
