import { Array as List, Optional as Omissible, Object as Shape, type Static, Unsafe } from 'typebox';
import { crud, entity, get, Nothing, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { Choice, Flag, Id, Optional, Reference, Secret, Several, Text, Whole, ZeroOne } from '#shared/fields';
import { codes } from '#shared/menu-entry';

const path = '/api/blade-develop';

/** What `driverClass` of a data source may be: the family's names of the drivers, and the database this deployment itself runs on. */
export const drivers = { mysql: 'com.mysql.cj.jdbc.Driver', postgres: 'org.postgresql.Driver', embedded: 'embedded' } as const;

/** What the database of this system is called. */
export const ownDatabase = ['本系统数据库', 'The database of this system'] as const;

const elsewhere = { field: 'driverClass', isNot: drivers.embedded } as const;
const ofPostgres = { field: 'driverClass', is: drivers.postgres } as const;
const asked = { visible: elsewhere, requiredWhen: elsewhere } as const;

/** A database whose tables are read. Its address is structured: nothing of it ever becomes a connection text with options of a driver. */
export const Datasource = entity(
  'datasource',
  {
    id: Id(),
    name: Text({ title: ['名称', 'Name'], maxLength: 64, search: true, sort: true }),
    driverClass: Choice({
      title: ['类型', 'Kind'],
      options: [
        [drivers.mysql, ['MySQL / MariaDB', 'MySQL / MariaDB']],
        [drivers.postgres, ['PostgreSQL', 'PostgreSQL']],
        [drivers.embedded, ownDatabase],
      ],
      default: drivers.mysql,
      search: true,
      width: 170,
    }),
    host: Optional(
      Text({
        title: ['主机', 'Host'],
        maxLength: 255,
        pattern: '^([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]{2,45})$',
        help: [
          '主机名或地址，不含协议与端口；内网地址须由部署放行（EGRESS_ALLOW）',
          'A name or an address, without protocol and port. EGRESS_ALLOW lets addresses inside through',
        ],
        width: 200,
        ...asked,
      }),
    ),
    port: Optional(
      Whole({
        title: ['端口', 'Port'],
        minimum: 1,
        maximum: 65_535,
        help: ['留空：MySQL 3306，PostgreSQL 5432', 'Empty: 3306 for MySQL, 5432 for PostgreSQL'],
        visible: elsewhere,
      }),
    ),
    databaseName: Optional(Text({ title: ['数据库', 'Database'], maxLength: 64, pattern: '^[^\\x00-\\x1f]+$', ...asked })),
    schemaName: Optional(
      Text({
        title: ['模式', 'Schema'],
        maxLength: 63,
        pattern: '^[^\\x00-\\x1f]+$',
        help: ['留空：public', 'Empty: public'],
        list: false,
        visible: ofPostgres,
      }),
    ),
    username: Optional(Text({ title: ['用户名', 'User'], maxLength: 64, pattern: '^[^\\x00-\\x1f]+$', ...asked })),
    password: Optional(Secret({ title: ['密码', 'Password'], visible: elsewhere })),
    useTls: Flag({ title: ['加密连接', 'TLS'], help: ['证书须受信任', 'Its certificate must be trusted'], list: false, visible: elsewhere }),
    remark: Optional(Text({ title: ['备注', 'Remark'] })),
  },
  { owner: 'platform' },
);
export type DatasourceRow = RowOf<typeof Datasource>;

const plain = { type: 'string' } as const;

/** Whether a data source answers: its version and how long it took, or what is wrong. */
const Verdict = Unsafe<{ works: boolean; detail: string; milliseconds: number }>({
  type: 'object',
  properties: { works: { type: 'boolean' }, detail: plain, milliseconds: { type: 'integer' } },
});

export const datasource = {
  ...crud(`${path}/datasource`, Datasource),
  select: get(`${path}/datasource/select`, {
    title: ['数据源下拉', 'Data sources to pick from'],
    who: { code: codes('datasource').page },
    input: Nothing,
    reply: List(Shape({ id: Id(), name: Unsafe<string>(plain) })),
  }),
  test: post(`${path}/datasource/test`, { title: ['测试连接', 'Test'], who: { code: 'datasource_test' }, input: Shape({ id: Id() }), reply: Verdict }),
};
export type DatasourceVerdict = Static<typeof Verdict>;

export const datasourceProblems = {
  passwordAgain: problem(400, ['连接信息已更改，请重新输入密码', 'What it connects to has changed. Enter the password again.']),
  givenToTenant: problem(409, ['数据源已指定给租户: {name}', 'It is the data source of the tenant {name}.']),
  privateHost: problem(400, ['该地址指向内网，部署未放行', 'This address leads inside, and the deployment does not allow it.']),
};

/** How a property is entered: `wire.md` §4.20, and `number`. */
export const controls = [
  ['input', ['单行文本', 'One line']],
  ['number', ['数字', 'Number']],
  ['textarea', ['多行文本', 'Several lines']],
  ['editor', ['富文本', 'Formatted text']],
  ['select', ['下拉', 'Picked']],
  ['tree', ['上级', 'Row above']],
  ['radio', ['单选', 'One of few']],
  ['checkbox', ['多选', 'Several']],
  ['switch', ['开关', 'Yes or no']],
  ['date', ['日期时间', 'Date or time']],
] as const;
/** What a property is in code: the family's names without their packages. */
export const propertyTypes = ['String', 'Integer', 'Long', 'Double', 'BigDecimal', 'Boolean', 'Date'] as const;
export const queryTypes = [
  ['equal', ['等于', 'equal']],
  ['notequal', ['不等于', 'not equal']],
  ['gt', ['大于', 'greater']],
  ['ge', ['大于等于', 'at least']],
  ['lt', ['小于', 'less']],
  ['le', ['小于等于', 'at most']],
  ['between', ['介于', 'between']],
  ['like', ['包含', 'contains']],
  ['likeleft', ['结尾是', 'ends with']],
  ['likeright', ['开头是', 'begins with']],
] as const;

const choice = <const Value extends string>(values: readonly Value[]) => values.map((value) => [value, [value, value]] as const);
const tableName = Text({ title: ['物理表', 'Table'], maxLength: 64, search: true });

/** A table that was read, and what is to be made of it. */
export const Model = entity(
  'model',
  {
    id: Id(),
    modelName: Text({ title: ['模型名称', 'Name'], maxLength: 64, search: true, sort: true }),
    datasourceId: Reference({ title: ['数据源', 'Data source'], from: { call: datasource.select } }),
    modelTable: tableName,
    modelClass: Text({ title: ['模型类名', 'Class'], maxLength: 64, pattern: '^[A-Z][A-Za-z0-9]*$' }),
    modelCode: Text({ title: ['模型编号', 'Code'], maxLength: 64, pattern: '^[a-z][A-Za-z0-9]*$', search: true, sort: true }),
    modelRemark: Optional(Text({ title: ['备注', 'Remark'] })),
  },
  { owner: 'platform' },
);
export type ModelRow = RowOf<typeof Model>;

/** A column of a model's table, and the property it becomes. */
export const Prototype = entity(
  'model_prototype',
  {
    id: Id(),
    modelId: Id({ title: ['模型', 'Model'], form: true }),
    sort: Whole({ title: ['排序', 'Order'], minimum: 0, maximum: 9999 }),
    jdbcName: Text({ title: ['列名', 'Column'], maxLength: 64 }),
    jdbcType: Text({ title: ['列类型', 'Column type'], maxLength: 64 }),
    jdbcLength: Optional(Whole({ title: ['长度', 'Length'], minimum: 0 })),
    jdbcScale: Optional(Whole({ title: ['小数位', 'Places'], minimum: 0 })),
    jdbcComment: Text({ title: ['中文名', 'Chinese title'], maxLength: 64, pattern: '^[^\\x00-\\x1f]+$' }),
    englishName: Text({ title: ['英文名', 'English title'], maxLength: 64, pattern: '^[^\\x00-\\x1f]+$' }),
    propertyName: Text({ title: ['属性名', 'Property'], maxLength: 50, pattern: '^[a-z][A-Za-z0-9]*$' }),
    propertyType: Choice({ title: ['属性类型', 'Property type'], options: choice(propertyTypes) }),
    propertyEntity: Optional(Text({ title: ['属性类', 'Property class'], maxLength: 64 })),
    isKey: ZeroOne({ title: ['主键', 'Key'] }),
    isUnique: ZeroOne({ title: ['唯一', 'Unique'] }),
    isList: ZeroOne({ title: ['列表', 'In the list'] }),
    isForm: ZeroOne({ title: ['表单', 'In the form'] }),
    isRow: ZeroOne({ title: ['独占一行', 'A row of its own'] }),
    isRequired: ZeroOne({ title: ['必填', 'Required'] }),
    isQuery: ZeroOne({ title: ['查询', 'Searched'] }),
    componentType: Choice({ title: ['控件', 'Control'], options: controls }),
    dictCode: Optional(Text({ title: ['字典', 'Dictionary'], maxLength: 64, pattern: '^[\\w-]+$' })),
    queryType: Optional(Choice({ title: ['查询方式', 'Compared'], options: queryTypes })),
    options: Optional(Several(Text({ title: ['可选值', 'Values'], maxLength: 128 }), { most: 200 })),
    referenceTable: Optional(Text({ title: ['引用表', 'Refers to'], maxLength: 64 })),
  },
  { owner: 'platform', order: ['sort'] },
);

const { id: _, modelId: __, ...drafted } = Prototype.form.properties;
/** A prototype as it is saved: one that has an id already keeps it. */
const PrototypeForm = Shape({ ...Prototype.form.properties }, { additionalProperties: false });
export type PrototypeForm = Static<typeof PrototypeForm>;
/** A prototype as it is edited, saved before or only guessed from its column; `name` and `comment` are the column's own. */
const PrototypeDraft = Unsafe<Omit<PrototypeForm, 'id'> & { id: string | null; name: string; comment: string }>({
  type: 'object',
  properties: { ...drafted, id: { type: ['string', 'null'] }, modelId: Id(), name: plain, comment: plain },
});
export type PrototypeDraft = Static<typeof PrototypeDraft>;

const mayModel = codes('model');
const seesModels = { code: mayModel.page };
const TableRow = Shape({ name: Unsafe<string>(plain), comment: Unsafe<string>(plain) });
export type TableRow = Static<typeof TableRow>;
const TableInfo = Unsafe<{ name: string; comment: string; entityName: string; fields: PrototypeDraft[] } | null>({
  type: ['object', 'null'],
  properties: { name: plain, comment: plain, entityName: plain, fields: { type: 'array', items: PrototypeDraft } },
});

export const model = {
  ...crud(`${path}/model`, Model),
  select: get(`${path}/model/select`, {
    title: ['模型下拉', 'Models to pick from'],
    who: seesModels,
    input: Nothing,
    reply: List(Shape({ id: Id(), modelName: Unsafe<string>(plain) })),
  }),
  /** The tables of a data source; of the system's own without one. */
  tableList: get(`${path}/model/table-list`, {
    title: ['数据源的表', 'Tables'],
    who: seesModels,
    input: Shape({ datasourceId: Omissible(Id()) }),
    reply: List(TableRow),
  }),
  /** A table by its model or by name; null where there is none. */
  tableInfo: get(`${path}/model/table-info`, {
    title: ['表信息', 'About a table'],
    who: seesModels,
    input: Shape({ modelId: Omissible(Id()), datasourceId: Omissible(Id()), tableName: Omissible(Text({ title: ['物理表', 'Table'], maxLength: 64 })) }),
    reply: TableInfo,
  }),
  /** What was saved of a model's columns, else what is guessed from them. With `current` the table is read again: what was saved stays, new columns are guessed, those that are gone are left out. */
  prototypes: get(`${path}/model/model-prototype`, {
    title: ['模型字段', 'Fields of a model'],
    who: seesModels,
    input: Shape({ modelId: Omissible(Id()), datasourceId: Omissible(Id()), current: Omissible(Unsafe<boolean>({ type: 'boolean' })) }),
    reply: List(PrototypeDraft),
  }),
  /** Makes models of tables, with their fields as guessed; tables that have one are left alone. */
  adopt: post(`${path}/model/adopt`, {
    title: ['导入表', 'Take tables over'],
    who: { code: mayModel.add },
    input: Shape({ datasourceId: Id(), tables: List(Unsafe<string>({ type: 'string', minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 100 }) }),
    reply: Shape({ added: Unsafe<number>({ type: 'integer' }), skipped: Unsafe<number>({ type: 'integer' }) }),
  }),
};

export const prototype = {
  /** All fields of one model, in their order; those that are not among them are gone. */
  submitList: post(`${path}/model-prototype/submit-list`, {
    title: ['保存模型字段', 'Save the fields'],
    who: { code: mayModel.edit },
    input: List(PrototypeForm, { minItems: 1, maxItems: 1000 }),
    reply: Unsafe<true>({ type: 'boolean' }),
  }),
  select: get(`${path}/model-prototype/select`, {
    title: ['字段下拉', 'Fields to pick from'],
    who: seesModels,
    input: Shape({ modelId: Omissible(Id()) }),
    reply: List(Shape({ jdbcName: Unsafe<string>(plain), jdbcComment: Unsafe<string>(plain), propertyName: Unsafe<string>(plain) })),
  }),
};

export const modelProblems = {
  sourceInUse: problem(409, ['数据源已被模型使用，不能删除', 'Models use this data source. Delete them first.']),
  noTable: problem(404, ['表 {name} 不存在', 'There is no table {name}.']),
  tooWide: problem(400, ['表 {name} 的列过多，最多 {most} 列', 'The table {name} has too many columns. {most} can be taken over.']),
  severalModels: problem(400, ['一次只能保存一个模型的字段', 'Fields of one model are saved at a time.']),
  propertyTwice: problem(400, ['属性名 {name} 重复', 'The property {name} occurs twice.']),
  propertyTaken: problem(400, ['属性名 {name} 由系统保留，请改名', 'The property {name} is the system’s own. Call it something else.']),
  propertyLong: problem(400, ['属性名 {name} 作为列名超过 63 个字符', 'As a column the property {name} is longer than 63 characters.']),
};
