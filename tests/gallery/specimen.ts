import * as Type from 'typebox';
import { crud, entity, get } from '#shared/contract';
import {
  Attachment,
  BooleanInt,
  Code,
  Cron,
  DateOnly,
  DateTime,
  Decimal,
  Dictionary,
  Email,
  Flag,
  Id,
  Image,
  Integer,
  Json,
  LongText,
  Money,
  MultiSelect,
  Nullable,
  Phone,
  Reference,
  RichText,
  Secret,
  Select,
  Text,
  TimeOnly,
  Url,
} from '#shared/fields';
import { menu } from '#shared/menu-entry';

const contact = ['联系方式', 'Contact'] as const;
const shipping = ['运输', 'Shipping'] as const;
const files = ['图文', 'Pictures and files'] as const;
const technical = ['技术参数', 'Technical'] as const;

/** Region that a lazily loaded tree returns. */
export interface Region {
  readonly code: string;
  readonly name: string;
  readonly hasChildren: boolean;
}

export const regions = get('/api/gallery/regions', {
  title: ['地区', 'Regions'],
  access: 'signedIn',
  input: Type.Object({ parentCode: Type.Optional(Type.String()), codes: Type.Optional(Type.String()) }),
  reply: Type.Unsafe<Region[]>({ type: 'array', items: { type: 'object', additionalProperties: true } }),
});

const owners = { path: '/api/gallery/exhibit/list' };
const places = { path: '/api/gallery/place/tree' };

/** Entity with a field of every kind, in groups; some fields depend on others. */
export const Specimen = entity('specimen', {
  id: Id(),
  code: Text({ title: ['编码', 'Code'], maxLength: 32, search: true, help: ['同一编码只能使用一次。', 'A code can be used once.'] }),
  price: Money({ title: ['价格', 'Price'] }),
  weight: Nullable(Decimal({ title: ['重量', 'Weight'], unit: ['千克', 'kg'], minimum: 0, maximum: 10_000 })),
  isPublic: Flag({ title: ['公开展示', 'On display'] }),
  isSealed: BooleanInt({ title: ['封存', 'Sealed'] }),
  tags: Nullable(
    MultiSelect(
      Select({
        title: ['标签', 'Tags'],
        options: [
          ['new', ['新品', 'New']],
          ['rare', ['稀有', 'Rare']],
          ['loan', ['借展', 'On loan']],
        ],
      }),
    ),
  ),
  grade: Nullable(Dictionary({ title: ['等级', 'Grade'], code: 'gallery_grade' })),
  madeOn: Nullable(DateOnly({ title: ['制作日期', 'Made on'] })),
  shownAt: Nullable(DateTime({ title: ['展出时间', 'Shown at'] })),
  opensAt: Nullable(TimeOnly({ title: ['开放时间', 'Opens at'] })),
  email: Nullable(Email({ title: ['邮箱', 'E-mail'], group: contact })),
  phone: Nullable(Phone({ title: ['手机', 'Mobile'], group: contact })),
  website: Nullable(Url({ title: ['网址', 'Website'], group: contact })),
  way: Select({
    title: ['运输方式', 'Shipped by'],
    group: shipping,
    default: 1,
    options: [
      [1, ['自提', 'Pick-up']],
      [2, ['快递', 'Courier']],
    ],
  }),
  address: Nullable(
    Text({ title: ['收货地址', 'Delivery address'], group: shipping, visible: { field: 'way', is: 2 }, requiredWhen: { field: 'way', is: 2 } }),
  ),
  days: Nullable(
    Integer({ title: ['时效', 'Delivery time'], unit: ['天', 'days'], minimum: 1, maximum: 60, group: shipping, visible: { field: 'way', is: 2 } }),
  ),
  exhibitId: Nullable(Reference({ title: ['所属展品', 'Exhibit'], group: shipping, from: { call: owners, search: 'name', paged: true } })),
  placeId: Nullable(Reference({ title: ['展位', 'Place'], group: shipping, from: { call: places, shape: 'tree' } })),
  regionCode: Nullable(
    Reference({
      title: ['产地', 'Origin'],
      group: shipping,
      from: { call: regions, shape: 'lazy-tree', cascades: true, value: 'code', title: 'name', branch: 'parentCode', lookup: 'codes', maxLength: 12 },
    }),
  ),
  cover: Nullable(Image({ title: ['封面', 'Cover'], group: files })),
  papers: Nullable(Attachment({ title: ['附件', 'Papers'], group: files, max: 3, maxSize: 1024 * 1024 })),
  content: Nullable(RichText({ title: ['正文', 'Text'], group: files })),
  remark: Nullable(LongText({ title: ['备注', 'Remark'], group: files, maxLength: 500 })),
  settings: Nullable(Json({ title: ['参数', 'Settings'], group: technical })),
  script: Nullable(Code({ title: ['脚本', 'Script'], group: technical, language: 'javascript' })),
  schedule: Nullable(Cron({ title: ['巡检计划', 'Inspection'], group: technical })),
  accessKey: Nullable(Secret({ title: ['访问密钥', 'Access key'], group: technical })),
});

export const specimen = crud('/api/gallery/specimen', Specimen);

/** Declares the same screen in another presentation. */
const screen = (code: string, title: readonly [string, string]) =>
  menu({ code, title, path: `/gallery/${code.replace('specimen_', 'specimen-')}`, under: 'base', icon: 'file' });

export const specimenMenu = menu({
  code: 'specimen',
  title: ['标本', 'Specimens'],
  path: '/gallery/specimen',
  under: 'base',
  icon: 'file',
  buttons: ['add', 'edit', 'delete', 'view'],
});
export const specimenDrawerMenu = screen('specimen_drawer', ['标本(抽屉)', 'Specimens (drawer)']);
export const specimenPageMenu = screen('specimen_page', ['标本(页面)', 'Specimens (page)']);
