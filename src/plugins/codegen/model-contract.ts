import type { Static, TSchema } from 'typebox';
import * as Type from 'typebox';
import { crud, entity, get, NoInput, PageOf, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { BooleanInt, Flag, Id, Integer, MultiSelect, Nullable, Reference, Refused, Secret, Select, Text, traitsOf } from '#shared/fields';
import { codes } from '#shared/menu-entry';

const path = '/api/blade-develop';

/** Values of `driverClass`: the driver names of the BladeX-compatible API, and the database of this deployment. */
export const drivers = { mysql: 'com.mysql.cj.jdbc.Driver', postgres: 'org.postgresql.Driver', embedded: 'embedded' } as const;

/** Name of this system's own database. */
export const ownDatabase = ['本系统数据库', 'System database'] as const;

const elsewhere = { field: 'driverClass', isNot: drivers.embedded } as const;
const ofPostgres = { field: 'driverClass', is: drivers.postgres } as const;
const asked = { visible: elsewhere, requiredWhen: elsewhere } as const;

/** Database whose tables are read. Its address is structured, so that no user input becomes a connection string with driver options. */
export const Datasource = entity(
  'datasource',
  {
    id: Id(),
    name: Text({ title: ['名称', 'Name'], maxLength: 64, search: true, sort: true }),
    driverClass: Select({
      title: ['类型', 'Type'],
      options: [
        [drivers.mysql, ['MySQL / MariaDB', 'MySQL / MariaDB']],
        [drivers.postgres, ['PostgreSQL', 'PostgreSQL']],
        [drivers.embedded, ownDatabase],
      ],
      default: drivers.mysql,
      search: true,
      width: 170,
    }),
    host: Nullable(
      Text({
        title: ['主机', 'Host'],
        maxLength: 255,
        pattern: '^([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]{2,45})$',
        help: [
          '主机名或地址，不含协议与端口；内网地址须由部署放行（EGRESS_ALLOW）',
          'Host name or IP address without protocol or port. Private addresses must be allowed by EGRESS_ALLOW',
        ],
        width: 200,
        ...asked,
      }),
    ),
    port: Nullable(
      Integer({
        title: ['端口', 'Port'],
        minimum: 1,
        maximum: 65_535,
        help: ['留空：MySQL 3306，PostgreSQL 5432', 'Defaults to 3306 for MySQL and 5432 for PostgreSQL'],
        visible: elsewhere,
      }),
    ),
    databaseName: Nullable(Text({ title: ['数据库', 'Database'], maxLength: 64, pattern: '^[^\\x00-\\x1f]+$', ...asked })),
    schemaName: Nullable(
      Text({
        title: ['模式', 'Schema'],
        maxLength: 63,
        pattern: '^[^\\x00-\\x1f]+$',
        help: ['留空：public', 'Defaults to public'],
        list: false,
        visible: ofPostgres,
      }),
    ),
    username: Nullable(Text({ title: ['用户名', 'User'], maxLength: 64, pattern: '^[^\\x00-\\x1f]+$', ...asked })),
    password: Nullable(Secret({ title: ['密码', 'Password'], visible: elsewhere })),
    useTls: Flag({ title: ['加密连接', 'TLS'], help: ['证书须受信任', 'The certificate must be trusted'], list: false, visible: elsewhere }),
    remark: Nullable(Text({ title: ['备注', 'Remark'] })),
  },
  { owner: 'platform' },
);
export type DatasourceRow = RowOf<typeof Datasource>;

const plain = { type: 'string' } as const;

/** Form of a data source: its structured address, or the equivalent JDBC address that BladeX-compatible clients send. */
const withoutUrl = { all: [elsewhere, { field: 'url', filled: false }] } as const;
const { driverClass: _driverClass, host, databaseName, ...others } = Datasource.form.properties;
const addressed = (schema: TSchema) => Type.Optional({ ...schema, field: { ...traitsOf(schema), requiredWhen: withoutUrl } } as TSchema);
const DatasourceForm = Type.Object({
  shardingConfig: Refused(['不支持分库分表配置，请为每个库建立一个数据源', 'Sharding is not supported. Add one data source for each database.']),
  ...others,
  /** An unsupported driver is refused with the list of supported ones; without a value it is derived from the address. */
  driverClass: Type.Optional(Type.Unsafe<string>({ type: 'string', maxLength: 128 })),
  host: addressed(host) as typeof host,
  databaseName: addressed(databaseName) as typeof databaseName,
  /** Such as `jdbc:mysql://db.example.com:3306/shop`. Driver options are dropped, and the text is never logged. */
  url: Type.Optional(Type.Unsafe<string>({ type: 'string', maxLength: 1000, writeOnly: true })),
});
export type DatasourceSubmit = Static<typeof DatasourceForm>;

/** Reply with the data source and its address in JDBC notation. */
const DatasourceReply = Type.Object({ ...Datasource.row.properties, url: Type.Unsafe<string | null>({ type: ['string', 'null'] }) });
const datasourceCalls = crud(`${path}/datasource`, Datasource, { input: DatasourceForm });

/** Result of a connection test: version and duration, or the error. */
const Verdict = Type.Unsafe<{ works: boolean; detail: string; milliseconds: number }>({
  type: 'object',
  properties: { works: { type: 'boolean' }, detail: plain, milliseconds: { type: 'integer' } },
});

export const datasource = {
  ...datasourceCalls,
  list: { ...datasourceCalls.list, reply: PageOf(DatasourceReply) },
  detail: { ...datasourceCalls.detail, reply: DatasourceReply },
  submit: { ...datasourceCalls.submit, reply: DatasourceReply },
  select: get(`${path}/datasource/select`, {
    title: ['数据源下拉', 'Data source options'],
    access: { code: codes('datasource').page },
    input: NoInput,
    reply: Type.Array(Type.Object({ id: Id(), name: Type.Unsafe<string>(plain) })),
  }),
  test: post(`${path}/datasource/test`, { title: ['测试连接', 'Test'], access: { code: 'datasource_test' }, input: Type.Object({ id: Id() }), reply: Verdict }),
};
export type DatasourceVerdict = Static<typeof Verdict>;

export const datasourceProblems = {
  passwordAgain: problem(400, ['连接信息已更改，请重新输入密码', 'The connection details have changed. Enter the password again.']),
  givenToTenant: problem(409, ['数据源已指定给租户: {name}', 'This data source is assigned to the tenant {name}.']),
  jdbcAddress: problem(400, [
    'JDBC 地址须形如 jdbc:mysql://主机:端口/数据库 或 jdbc:postgresql://主机:端口/数据库，仅支持单个主机的 MySQL / MariaDB 与 PostgreSQL',
    'Use jdbc:mysql://host:port/database or jdbc:postgresql://host:port/database. Only a single MySQL, MariaDB or PostgreSQL host is supported.',
  ]),
  driver: problem(400, ['仅支持 MySQL / MariaDB、PostgreSQL 与本系统数据库', 'Only MySQL, MariaDB, PostgreSQL and the system database are supported.']),
  otherDriver: problem(400, ['JDBC 地址与所选类型不一致', 'The JDBC address does not match the selected type.']),
  credentialsInAddress: problem(400, [
    '请将用户名和密码填入各自的字段，不要写在地址里',
    'Enter the user and password in their own fields, not in the address.',
  ]),
  privateHost: problem(400, ['该地址指向内网，部署未放行', 'This address is on a private network, which the deployment does not allow.']),
};

/** Controls a property can be entered with: those of the BladeX-compatible API, and `number`. */
export const controls = [
  ['input', ['单行文本', 'Single-line text']],
  ['number', ['数字', 'Number']],
  ['textarea', ['多行文本', 'Multi-line text']],
  ['editor', ['富文本', 'Rich text']],
  ['select', ['下拉', 'Select']],
  ['tree', ['上级', 'Parent']],
  ['radio', ['单选', 'Radio']],
  ['checkbox', ['多选', 'Multi-select']],
  ['switch', ['开关', 'Switch']],
  ['date', ['日期时间', 'Date and time']],
] as const;
/** Types of properties: the names of the BladeX-compatible API without packages. */
export const propertyTypes = ['String', 'Integer', 'Long', 'Double', 'BigDecimal', 'Boolean', 'Date'] as const;
export const queryTypes = [
  ['equal', ['等于', 'equals']],
  ['notequal', ['不等于', 'does not equal']],
  ['gt', ['大于', 'greater than']],
  ['ge', ['大于等于', 'at least']],
  ['lt', ['小于', 'less than']],
  ['le', ['小于等于', 'at most']],
  ['between', ['介于', 'between']],
  ['like', ['包含', 'contains']],
  ['likeleft', ['结尾是', 'ends with']],
  ['likeright', ['开头是', 'starts with']],
] as const;

const choice = <const Value extends string>(values: readonly Value[]) => values.map((value) => [value, [value, value]] as const);
const tableName = Text({ title: ['物理表', 'Table'], maxLength: 64, search: true });

/** Table that was read, and the settings of its generated plugin. */
export const Model = entity(
  'model',
  {
    id: Id(),
    modelName: Text({ title: ['模型名称', 'Name'], maxLength: 64, search: true, sort: true }),
    datasourceId: Reference({ title: ['数据源', 'Data source'], from: { call: datasource.select } }),
    modelTable: tableName,
    modelClass: Text({ title: ['模型类名', 'Class'], maxLength: 64, pattern: '^[A-Z][A-Za-z0-9]*$' }),
    modelCode: Text({ title: ['模型编号', 'Code'], maxLength: 64, pattern: '^[a-z][A-Za-z0-9]*$', search: true, sort: true }),
    modelRemark: Nullable(Text({ title: ['备注', 'Remark'] })),
  },
  { owner: 'platform' },
);
export type ModelRow = RowOf<typeof Model>;

/** Column of a model's table, and the property it becomes. */
export const Prototype = entity(
  'model_prototype',
  {
    id: Id(),
    modelId: Id({ title: ['模型', 'Model'], form: true }),
    sort: Integer({ title: ['排序', 'Sort order'], minimum: 0, maximum: 9999 }),
    jdbcName: Text({ title: ['列名', 'Column'], maxLength: 64 }),
    jdbcType: Text({ title: ['列类型', 'Column type'], maxLength: 64 }),
    jdbcLength: Nullable(Integer({ title: ['长度', 'Length'], minimum: 0 })),
    jdbcScale: Nullable(Integer({ title: ['小数位', 'Decimals'], minimum: 0 })),
    jdbcComment: Text({ title: ['中文名', 'Chinese title'], maxLength: 64, pattern: '^[^\\x00-\\x1f]+$' }),
    englishName: Text({ title: ['英文名', 'English title'], maxLength: 64, pattern: '^[^\\x00-\\x1f]+$' }),
    propertyName: Text({ title: ['属性名', 'Property'], maxLength: 50, pattern: '^[a-z][A-Za-z0-9]*$' }),
    propertyType: Select({ title: ['属性类型', 'Property type'], options: choice(propertyTypes) }),
    propertyEntity: Nullable(Text({ title: ['属性类', 'Property class'], maxLength: 64 })),
    isKey: BooleanInt({ title: ['主键', 'Primary key'] }),
    isUnique: BooleanInt({ title: ['唯一', 'Unique'] }),
    isList: BooleanInt({ title: ['列表', 'List'] }),
    isForm: BooleanInt({ title: ['表单', 'Form'] }),
    isRow: BooleanInt({ title: ['独占一行', 'Full row'] }),
    isRequired: BooleanInt({ title: ['必填', 'Required'] }),
    isQuery: BooleanInt({ title: ['查询', 'Search'] }),
    componentType: Select({ title: ['控件', 'Control'], options: controls }),
    dictCode: Nullable(Text({ title: ['字典', 'Dictionary'], maxLength: 64, pattern: '^[\\w-]+$' })),
    queryType: Nullable(Select({ title: ['查询方式', 'Operator'], options: queryTypes })),
    options: Nullable(MultiSelect(Text({ title: ['可选值', 'Options'], maxLength: 128 }), { max: 200 })),
    referenceTable: Nullable(Text({ title: ['引用表', 'Referenced table'], maxLength: 64 })),
  },
  { owner: 'platform', order: ['sort'] },
);

const { id: _, modelId: __, ...drafted } = Prototype.form.properties;
/** Form of a prototype: a row with an id is updated, one without or with null is added. */
const PrototypeForm = Type.Object({ ...Prototype.form.properties, id: Type.Optional(Nullable(Id())) }, { additionalProperties: false });
export type PrototypeForm = Static<typeof PrototypeForm>;
/** Prototype as it is edited, saved or guessed from its column; `name` and `comment` are the column's own. */
const PrototypeDraft = Type.Unsafe<Omit<PrototypeForm, 'id'> & { id: string | null; name: string; comment: string }>({
  type: 'object',
  properties: { ...drafted, id: { type: ['string', 'null'] }, modelId: Id(), name: plain, comment: plain },
});
export type PrototypeDraft = Static<typeof PrototypeDraft>;

const mayModel = codes('model');
const seesModels = { code: mayModel.page };
const TableRow = Type.Object({ name: Type.Unsafe<string>(plain), comment: Type.Unsafe<string>(plain) });
export type TableRow = Static<typeof TableRow>;
const TableInfo = Type.Unsafe<{ name: string; comment: string; entityName: string; fields: PrototypeDraft[] } | null>({
  type: ['object', 'null'],
  properties: { name: plain, comment: plain, entityName: plain, fields: { type: 'array', items: PrototypeDraft } },
});

export const model = {
  ...crud(`${path}/model`, Model),
  select: get(`${path}/model/select`, {
    title: ['模型下拉', 'Model options'],
    access: seesModels,
    input: NoInput,
    reply: Type.Array(Type.Object({ id: Id(), modelName: Type.Unsafe<string>(plain) })),
  }),
  /** Lists the tables of a data source, or without one those of this system's database. */
  tableList: get(`${path}/model/table-list`, {
    title: ['数据源的表', 'Tables'],
    access: seesModels,
    input: Type.Object({ datasourceId: Type.Optional(Id()) }),
    reply: Type.Array(TableRow),
  }),
  /** Returns a table by its model or by name; null when it does not exist. */
  tableInfo: get(`${path}/model/table-info`, {
    title: ['表信息', 'Table details'],
    access: seesModels,
    input: Type.Object({
      modelId: Type.Optional(Id()),
      datasourceId: Type.Optional(Id()),
      tableName: Type.Optional(Text({ title: ['物理表', 'Table'], maxLength: 64 })),
    }),
    reply: TableInfo,
  }),
  /** Returns the saved prototypes of a model, otherwise guessed ones. With `current` the table is read again: new columns are guessed, and removed ones are left out. */
  prototypes: get(`${path}/model/model-prototype`, {
    title: ['模型字段', 'Model fields'],
    access: seesModels,
    input: Type.Object({ modelId: Type.Optional(Id()), datasourceId: Type.Optional(Id()), current: Type.Optional(Type.Unsafe<boolean>({ type: 'boolean' })) }),
    reply: Type.Array(PrototypeDraft),
  }),
  /** Creates models from tables, with guessed fields; tables that have a model are skipped. */
  adopt: post(`${path}/model/adopt`, {
    title: ['导入表', 'Import tables'],
    access: { code: mayModel.add },
    input: Type.Object({
      datasourceId: Id(),
      tables: Type.Array(Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 100 }),
    }),
    reply: Type.Object({ added: Type.Unsafe<number>({ type: 'integer' }), skipped: Type.Unsafe<number>({ type: 'integer' }) }),
  }),
};

export const prototype = {
  /** Replaces all fields of one model, in the given order. */
  submitList: post(`${path}/model-prototype/submit-list`, {
    title: ['保存模型字段', 'Save model fields'],
    access: { code: mayModel.edit },
    input: Type.Array(PrototypeForm, { minItems: 1, maxItems: 1000 }),
    reply: Type.Unsafe<true>({ type: 'boolean' }),
  }),
  select: get(`${path}/model-prototype/select`, {
    title: ['字段下拉', 'Field options'],
    access: seesModels,
    input: Type.Object({ modelId: Type.Optional(Id()) }),
    reply: Type.Array(Type.Object({ jdbcName: Type.Unsafe<string>(plain), jdbcComment: Type.Unsafe<string>(plain), propertyName: Type.Unsafe<string>(plain) })),
  }),
};

export const modelProblems = {
  sourceInUse: problem(409, ['数据源已被模型使用，不能删除', 'This data source is used by models. Delete them first.']),
  noTable: problem(404, ['表 {name} 不存在', 'Table {name} not found.']),
  tooWide: problem(400, ['表 {name} 的列过多，最多 {most} 列', 'Table {name} has too many columns. The limit is {most}.']),
  severalModels: problem(400, ['一次只能保存一个模型的字段', 'Save the fields of one model at a time.']),
  propertyTwice: problem(400, ['属性名 {name} 重复', 'Duplicate property {name}.']),
  propertyTaken: problem(400, ['属性名 {name} 由系统保留，请改名', 'The property {name} is reserved. Use another name.']),
  propertyLong: problem(400, ['属性名 {name} 作为列名超过 63 个字符', 'The property {name} exceeds 63 characters as a column name.']),
};
