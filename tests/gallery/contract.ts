import { crud, entity, get, NoInput, TreeNode, TreeOf } from '#shared/contract';
import { DateTime, Id, Integer, LongText, Money, Nullable, Parent, Select, Text } from '#shared/fields';
import { menu } from '#shared/menu-entry';

/** Entity with the fields of a generic screen, for journeys through screens that no plugin of the product has yet. */
export const Exhibit = entity('exhibit', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], maxLength: 64, search: true, sort: true, copyable: true }),
  kind: Select({
    title: ['类别', 'Kind'],
    search: true,
    options: [
      [1, ['绘画', 'Painting']],
      [2, ['雕塑', 'Sculpture']],
      [3, ['影像', 'Film']],
    ],
    tones: { 1: 'brand', 2: 'good', 3: 'warning' },
    default: 1,
  }),
  pieces: Integer({ title: ['件数', 'Pieces'], minimum: 0, search: true, sort: true, default: 1 }),
  price: Money({ title: ['估价', 'Estimate'], search: true, default: 0, maximum: 1_000_000_000 }),
  opensAt: Nullable(DateTime({ title: ['开展时间', 'Opens at'], search: true })),
  story: Nullable(LongText({ title: ['介绍', 'Story'] })),
});

/** Places of exhibits: rooms, walls and shelves as a tree. */
export const Place = entity(
  'place',
  {
    id: Id(),
    parentId: Parent({ title: ['上级位置', 'Stands in'], list: false }),
    name: Text({ title: ['位置名称', 'Place'], maxLength: 64, search: true }),
    sort: Integer({ title: ['排序', 'Sort order'], default: 0, sort: true }),
  },
  { order: ['sort'] },
);

export const exhibit = crud('/api/gallery/exhibit', Exhibit);
export const place = {
  ...crud('/api/gallery/place', Place, { tree: true }),
  tree: get('/api/gallery/place/tree', { title: ['展位树', 'Places to pick from'], access: 'signedIn', input: NoInput, reply: TreeOf(TreeNode) }),
};

export const exhibitMenu = menu({
  code: 'exhibit',
  title: ['展品', 'Exhibits'],
  path: '/gallery/exhibit',
  under: 'base',
  icon: 'image',
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});

export const placeMenu = menu({
  code: 'place',
  title: ['展位', 'Places'],
  path: '/gallery/place',
  under: 'base',
  icon: 'storage',
  buttons: ['add', 'edit', 'delete', 'view', 'export', 'import'],
});

export { regions, Specimen, specimen, specimenMenu } from './specimen.ts';
