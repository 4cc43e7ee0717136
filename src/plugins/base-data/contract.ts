import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Dept, dept } from '#plugins/organization/contract';
import { RegionCode } from '#plugins/region/contract';
import { enabledFlag, sort, timestamps } from '#shared/common-fields';
import { atMost, crud, type Entity, entity, get, list, post, type RowOf, TreeNode, TreeOf } from '#shared/contract';
import {
  Dictionary,
  type Field,
  type FieldTraits,
  Id,
  Image,
  Integer,
  LongText,
  Money,
  Nullable,
  Parent,
  Phone,
  Reference,
  Select,
  Text,
  Url,
} from '#shared/fields';
import { codes } from '#shared/menu-entry';
import type { LocalizedText } from '#shared/text';
import { industries } from './industry-contract.ts';

export { advertiserMenu } from './menus.ts';
export * from './problem-contract.ts';

const base = '/api/oms-system/base';

const remark = Nullable(Text({ title: ['备注', 'Remark'] }));

/** Declares the calls of a generic screen, with the list and submit paths of the BladeX-compatible API. */
const screen = <E extends Entity>(entity: E, path: string, listPath: string, submitPath: string) => {
  const calls = crud(`${base}/${path}`, entity, { menu: entity.name });
  const { add, edit, page } = codes(entity.name);
  return {
    ...calls,
    list: list(`${base}/${listPath}`, entity, { code: page }, ['分页查询', 'List']),
    submit: post(`${base}/${submitPath}`, {
      title: ['新增或修改', 'Add or update'],
      access: { add, edit },
      input: entity.form as E['form'],
      reply: entity.row as E['row'],
    }),
  };
};

/** Input of a picker: without `ids` it lists enabled rows; with `ids` it returns those rows, enabled or not. */
const PickerInput = Type.Object({ ids: Type.Optional(Type.String({ pattern: '^(\\d{1,19}(,\\d{1,19}){0,199})?$' })) });
const company = ['公司信息', 'Company'] as const;
const contact = ['联系方式', 'Contact'] as const;
const account = ['账户', 'Account'] as const;

/** Fields of an advertiser that pickers show to every signed-in user. */
const nameFields = {
  id: Id(),
  name: Text({ title: ['广告主名称', 'Name'], maxLength: 128, search: true, sort: true, width: 220, group: company }),
  short_name: Nullable(Text({ title: ['简称', 'Short name'], maxLength: 64, search: true, group: company })),
};
const AdvertiserName = entity('advertiser', { ...nameFields, status: enabledFlag }, { archivable: true });

/** Customer that pays for tasks. `departid` and `companyid` are the department and company of the user who added the row. Amounts in 分. */
export const Advertiser = entity(
  'advertiser',
  {
    ...nameFields,
    industry: Nullable(Dictionary({ title: ['所属行业', 'Industry'], code: industries.code, search: true, group: company })),
    license_no: Nullable(Text({ title: ['营业执照号', 'License no.'], maxLength: 64, list: false, copyable: true, group: company })),
    license_img: Nullable(Image({ title: ['营业执照', 'License'], list: false, group: company })),
    contact_name: Text({ title: ['联系人', 'Contact'], maxLength: 64, search: true, personal: 'name', group: contact }),
    contact_phone: Phone({ title: ['联系电话', 'Phone'], width: 172, search: true, copyable: true, group: contact }),
    city_code: Nullable(RegionCode({ title: ['所在地区', 'Region'], group: contact })),
    province_code: Nullable(Text({ title: ['省份编号', 'Province code'], maxLength: 12, list: false, form: false })),
    address: Nullable(Text({ title: ['详细地址', 'Address'], list: false, personal: 'address', group: contact })),
    /** Balance of the ledger; a negative balance is owed by the advertiser. */
    balance: Money({ title: ['账户余额', 'Balance'], minimum: -1_000_000_000_000, form: false, group: account }),
    credit_limit: Money({ title: ['授信额度', 'Credit limit'], default: 0, group: account }),
    status: enabledFlag,
    remark,
    departid: Nullable(
      Reference({ title: ['所属部门', 'Department'], from: { call: dept.tree, entity: Dept.name, shape: 'tree' }, onDelete: 'keep', form: false, list: false }),
    ),
    companyid: Nullable(
      Reference({ title: ['所属公司', 'Company'], from: { call: dept.tree, entity: Dept.name, shape: 'tree' }, onDelete: 'refuse', form: false, search: true }),
    ),
    ...timestamps,
  },
  { archivable: true },
);
export type AdvertiserRow = RowOf<typeof Advertiser>;

export const advertiser = {
  ...screen(Advertiser, 'advertiser', 'advertiserlist', 'addadvertiser'),
  select: list(`${base}/advertiser/select`, AdvertiserName, 'signedIn', ['广告主下拉', 'Advertiser options']),
};
/** Entity of the rows of `advertiser.select`. */
export const advertiserName = { entity: AdvertiserName };

/** Platform on which work is published. `link_pattern` lists the accepted link patterns, one per line; see `#shared/link-patterns`. */
export const Platform = entity(
  'platform',
  {
    id: Id(),
    name: Text({ title: ['平台名称', 'Name'], maxLength: 64, search: true, sort: true }),
    code: Text({ title: ['平台编码', 'Code'], maxLength: 64, pattern: '^[\\w-]+$', search: true, copyable: true }),
    icon: Nullable(Image({ title: ['图标', 'Icon'] })),
    home_url: Nullable(Url({ title: ['主页地址', 'Home page'] })),
    link_pattern: Nullable(
      LongText({
        title: ['链接规则', 'Link patterns'],
        maxLength: 4000,
        list: false,
        placeholder: ['*.douyin.com/video/*', '*.douyin.com/video/*'],
        help: [
          '每行一条；*.域名 匹配各级子域名，路径中 * 匹配一段、** 匹配多段，?id=* 要求带有该参数；留空不校验',
          'One per line. *.host matches all subdomains, * matches one path segment, ** matches several, ?id=* requires the parameter. Leave empty to skip validation.',
        ],
      }),
    ),
    sort,
    status: enabledFlag,
    remark,
    ...timestamps,
  },
  { order: ['sort'], archivable: true },
);
export type PlatformRow = RowOf<typeof Platform>;

const PlatformOption = Type.Object({
  id: Id(),
  name: Platform.fields.name,
  code: Platform.fields.code,
  icon: Platform.fields.icon,
  link_pattern: Platform.fields.link_pattern,
});

export const platform = {
  ...screen(Platform, 'platform', 'platformlist', 'addplatform'),
  select: get(`${base}/platform/select`, {
    title: ['平台下拉', 'Platform options'],
    access: 'signedIn',
    input: PickerInput,
    reply: Type.Array(PlatformOption),
  }),
  /** Lists the enabled platforms whose patterns match a link. */
  match: get(`${base}/platform/match`, {
    title: ['识别链接', 'Match a link'],
    access: { code: 'platform' },
    input: Type.Object({ link: Type.String({ minLength: 1, maxLength: 2000 }) }),
    reply: Type.Array(PlatformOption),
  }),
};

/** Kind of work of a task. */
export const Category = entity(
  'category',
  {
    id: Id(),
    parentId: Parent({ title: ['上级分类', 'Parent category'], list: false }),
    /** Alias of `parentId` in the BladeX-compatible API. */
    pid: Id({ title: ['上级编号', 'Parent'], list: false, form: false }),
    name: Text({ title: ['分类名称', 'Name'], maxLength: 64, search: true, width: 280 }),
    icon: Nullable(Image({ title: ['图标', 'Icon'] })),
    sort: Integer({ title: ['排序', 'Sort order'], minimum: 0, default: 1 }),
    status: enabledFlag,
    remark,
    ...timestamps,
  },
  { order: ['sort'], archivable: true },
);
export type CategoryRow = RowOf<typeof Category>;

const CategoryForm = Type.Object({ ...Category.form.properties, pid: Type.Optional(Id()) }, { additionalProperties: false });
export type CategorySubmit = Static<typeof CategoryForm>;
const categories = crud(`${base}/category`, Category, { tree: true, input: CategoryForm });
const { page: categoryPage, add: addCategory, edit: editCategory } = codes('category');

export const category = {
  ...categories,
  submit: post(`${base}/addcategory`, {
    title: ['新增或修改', 'Add or update'],
    access: { add: addCategory, edit: editCategory },
    input: CategoryForm,
    reply: Category.row,
  }),
  /** Flat page of categories for BladeX-compatible clients; `pid` is the parent. */
  page: list(`${base}/categorylist`, Category, { code: categoryPage }, ['分页查询', 'List']),
  choices: get(`${base}/category/tree`, { title: ['分类树', 'Category tree'], access: 'signedIn', input: PickerInput, reply: TreeOf(TreeNode) }),
};

/** Difficulty of a task, with the range of prices it allows. Amounts in 分. */
export const TaskGrade = entity(
  'task_grade',
  {
    id: Id(),
    name: Text({ title: ['等级名称', 'Name'], maxLength: 64, search: true }),
    level: Integer({ title: ['等级', 'Level'], minimum: 1, maximum: 99, sort: true }),
    min_price: Money({ title: ['最低单价', 'Min price'], default: 0, total: false }),
    max_price: Money({ title: ['最高单价', 'Max price'], default: 0, total: false, help: ['0 表示不限', '0 for no limit'] }),
    min_score: Integer({ title: ['最低信用分', 'Min credit score'], minimum: 0, maximum: 1000, default: 0 }),
    max_daily: Integer({
      title: ['每日上限', 'Max per day'],
      minimum: 0,
      maximum: 100_000,
      default: 0,
      help: ['每人每日可领数量，0 表示不限', 'Tasks a person can claim per day; 0 for no limit'],
    }),
    sort,
    status: enabledFlag,
    remark,
    ...timestamps,
  },
  { order: ['sort', 'level'], rules: [atMost('min_price', 'max_price', { unlimited: 0 })], archivable: true },
);
export type TaskGradeRow = RowOf<typeof TaskGrade>;

const { name: gradeName, level, min_price, max_price, min_score, max_daily } = TaskGrade.fields;

export const taskGrade = {
  ...screen(TaskGrade, 'task-grade', 'taskgradelist', 'addtaskgrade'),
  select: get(`${base}/task-grade/select`, {
    title: ['等级下拉', 'Grade options'],
    access: 'signedIn',
    input: PickerInput,
    reply: Type.Array(Type.Object({ id: Id(), name: gradeName, level, min_price, max_price, min_score, max_daily })),
  }),
};

/** City a task can be limited to, with the region it belongs to. */
export const City = entity(
  'city',
  {
    id: Id(),
    code: RegionCode({ title: ['行政区划', 'Region'], help: ['选择地市或区县', 'Select a city or district'] }),
    name: Nullable(
      Text({ title: ['城市名称', 'Name'], maxLength: 64, search: true, sort: true, help: ['留空则取行政区划的名称', 'Leave empty to use the region name'] }),
    ),
    province: Text({ title: ['省份', 'Province'], maxLength: 64, search: true, form: false }),
    tier: Select({
      title: ['城市等级', 'Tier'],
      options: [
        [1, ['一线', 'Tier 1']],
        [2, ['二线', 'Tier 2']],
        [3, ['三线', 'Tier 3']],
        [4, ['四线', 'Tier 4']],
        [5, ['五线', 'Tier 5']],
      ],
      tones: { 1: 'brand', 2: 'good', 3: 'neutral', 4: 'neutral', 5: 'neutral' },
      default: 3,
      search: true,
    }),
    sort,
    status: enabledFlag,
    ...timestamps,
  },
  { order: ['tier', 'sort'], archivable: true },
);
export type CityRow = RowOf<typeof City>;

const { code, name: cityName, province, tier } = City.fields;

export const city = {
  ...screen(City, 'city', 'citylist', 'addcity'),
  select: get(`${base}/city/select`, {
    title: ['城市下拉', 'City options'],
    access: 'signedIn',
    input: PickerInput,
    reply: Type.Array(Type.Object({ id: Id(), code, name: cityName, province, tier })),
  }),
};

type PickerTraits = Omit<Partial<FieldTraits>, 'title' | 'widget'> & { readonly title: LocalizedText };

/** Field for the id of an advertiser, searched by name. */
export const AdvertiserId = (traits: PickerTraits): Field<string> =>
  Reference({ onDelete: 'refuse', ...traits, from: { call: advertiser.select, paged: true, search: 'name' } });
export const PlatformId = (traits: PickerTraits): Field<string> =>
  Reference({ onDelete: 'refuse', ...traits, from: { call: platform.select, entity: Platform.name, lookup: 'ids' } });
export const CategoryId = (traits: PickerTraits): Field<string> =>
  Reference({ onDelete: 'refuse', ...traits, from: { call: category.choices, entity: Category.name, shape: 'tree', lookup: 'ids' } });
export const TaskGradeId = (traits: PickerTraits): Field<string> =>
  Reference({ onDelete: 'refuse', ...traits, from: { call: taskGrade.select, entity: TaskGrade.name, lookup: 'ids' } });
/** Field for the id of a city; `MultiSelect(CityId(…))` makes a list of them. */
export const CityId = (traits: PickerTraits): Field<string> =>
  Reference({ onDelete: 'refuse', ...traits, from: { call: city.select, entity: City.name, lookup: 'ids' } });

export const baseDataMessages = {
  addBelow: ['新增下级', 'Add child'],
  testLink: ['识别链接', 'Test a link'],
  pasteLink: ['粘贴作品链接', 'Paste a link'],
  matches: ['符合 {names} 的链接规则', 'The link matches {names}.'],
  noMatch: ['不符合任何平台的链接规则', 'The link does not match any platform.'],
} as const satisfies Record<string, LocalizedText>;
