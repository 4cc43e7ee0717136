import type { Static } from 'typebox';
import * as Type from 'typebox';
import { BatchIds, BatchReply, crud, entity, get, list, post, type RowOf, TreeNode } from '#shared/contract';
import { problem } from '#shared/errors';
import { type Field, type FieldTraits, Id, Integer, Nullable, Parent, Reference, Select, Text } from '#shared/fields';
import { codes } from '#shared/menu-entry';
import { sheetCalls } from '#shared/sheet-calls';
import type { LocalizedText } from '#shared/text';

const code = { maxLength: 12, pattern: '^\\d{2,12}$' } as const;
/** Code and name of an ancestor region, filled in by the server. */
const ancestorFields = ([zh, en]: LocalizedText) => ({
  code: Nullable(Text({ title: [`${zh}编号`, `${en} code`], maxLength: 12, list: false, form: false })),
  name: Nullable(Text({ title: [zh, en], maxLength: 64, list: false, form: false })),
});
const [province, city, district, town, village] = [
  ancestorFields(['省份', 'Province']),
  ancestorFields(['地市', 'City']),
  ancestorFields(['区县', 'District']),
  ancestorFields(['乡镇', 'Town']),
  ancestorFields(['村委', 'Village']),
];

/** Administrative division. Its code starts with the code of its parent and cannot be changed; '00' is the country. */
export const Region = entity(
  'region',
  {
    id: Id(),
    parentId: Parent({ title: ['上级区划', 'Parent region'], list: false }),
    name: Text({ title: ['区划名称', 'Name'], maxLength: 64, search: true, width: 280 }),
    code: Text({
      title: ['区划编号', 'Code'],
      ...code,
      search: true,
      copyable: true,
      help: ['以上级编号开头，新增后不可修改', 'Starts with the parent code and cannot be changed later'],
    }),
    regionLevel: Select({
      title: ['级别', 'Level'],
      form: false,
      search: true,
      options: [
        [0, ['国家', 'Country']],
        [1, ['省份/直辖市', 'Province']],
        [2, ['地市', 'City']],
        [3, ['区县', 'District']],
        [4, ['乡镇', 'Town']],
        [5, ['村委', 'Village']],
      ],
      tones: { 0: 'brand', 1: 'brand', 2: 'good', 3: 'neutral', 4: 'neutral', 5: 'neutral' },
    }),
    sort: Integer({ title: ['排序', 'Sort order'], minimum: 0, default: 1 }),
    remark: Nullable(Text({ title: ['备注', 'Remark'] })),
    parentCode: Text({ title: ['上级编号', 'Parent code'], maxLength: 12, list: false, form: false }),
    ancestors: Text({ title: ['祖级编号', 'Ancestor codes'], list: false, form: false }),
    /** Alias of the region's level for some BladeX-compatible clients. */
    level: Integer({ title: ['层级', 'Depth'], list: false, form: false }),
    provinceCode: province.code,
    provinceName: province.name,
    cityCode: city.code,
    cityName: city.name,
    districtCode: district.code,
    districtName: district.name,
    townCode: town.code,
    townName: town.name,
    villageCode: village.code,
    villageName: village.name,
  },
  { owner: 'platform', order: ['sort', 'code'], archivable: false },
);
export type RegionRow = RowOf<typeof Region>;

/** Form of a region; without `parentCode` the parent is derived from the code. */
const RegionForm = Type.Object({
  ...Region.form.properties,
  parentId: Nullable(Id({ title: ['上级区划', 'Parent region'] })),
  parentCode: Type.Optional(Type.Unsafe<string>({ type: 'string', maxLength: 12 })),
});
export type RegionSubmit = Static<typeof RegionForm>;

const path = '/api/blade-system/region';
const access = { code: codes('region').page };
const plain = Type.Unsafe<string>({ type: 'string', maxLength: 4000 });
const OfCode = Type.Object({ code: Type.Optional(plain) });
const LazyNode = Type.Object({ ...TreeNode.properties, hasChildren: Type.Boolean() });
const Detail = Type.Object({ ...Region.row.properties, parentName: Nullable(Region.fields.name) });

export const region = {
  ...crud(path, Region, { tree: true, lazy: true, input: RegionForm }),
  ...sheetCalls(path, 'region', Region, 'region'),
  /** Paged, because there are thousands of regions; the tree is loaded level by level. */
  list: list(`${path}/list`, Region, access, ['分页查询', 'List']),
  detail: get(`${path}/detail`, {
    title: ['详情', 'Detail'],
    access,
    input: Type.Object({ id: Type.Optional(Id()), code: Type.Optional(plain) }),
    reply: Detail,
  }),
  /** `ids` are row ids; `id` is a region code, as the BladeX-compatible API defines it. */
  remove: post(`${path}/remove`, {
    title: ['删除', 'Delete'],
    access: { code: codes('region').delete },
    effect: 'removed',
    input: Type.Object({ ...BatchIds.properties, ids: Type.Optional(BatchIds.properties.ids), id: Type.Optional(plain) }),
    reply: BatchReply,
  }),
  /** Lists the children of a code, by default the country's; with `codes`, lists those regions with the names of all their ancestors. */
  lazyTree: get(`${path}/lazy-tree`, {
    title: ['逐级区划', 'Region level'],
    access: 'signedIn',
    input: Type.Object({ parentCode: Type.Optional(plain), codes: Type.Optional(plain) }),
    reply: Type.Array(LazyNode),
  }),
  select: get(`${path}/select`, { title: ['下级区划', 'Child regions'], access: 'signedIn', input: OfCode, reply: Type.Array(Region.row) }),
};

/** Field for the code of a region, selected in columns from province to district. */
export const RegionCode = (traits: Omit<Partial<FieldTraits>, 'title' | 'widget'> & { readonly title: LocalizedText }): Field<string> =>
  Reference({
    onDelete: 'refuse',
    ...traits,
    from: {
      call: region.lazyTree,
      entity: Region.name,
      entityField: 'code',
      shape: 'lazy-tree',
      cascades: true,
      branch: 'parentCode',
      lookup: 'codes',
      maxLength: 12,
    },
  });

export const regionProblems = {
  taken: problem(409, ['区划编号已存在', 'This region code already exists.']),
  fixed: problem(409, ['区划编号和上级不能修改', 'The code and parent of a region cannot be changed.']),
  codeOutsideParent: problem(400, ['区划编号须以上级编号 {code} 开头', 'The region code must start with the parent code {code}.']),
  tooDeep: problem(400, ['村委以下不能再设下级', 'Regions cannot be added below a village.']),
  noParent: problem(400, ['上级区划不存在', 'Parent region not found.']),
};
