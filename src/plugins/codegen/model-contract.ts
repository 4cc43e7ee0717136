import type { Static } from 'typebox';
import * as Type from 'typebox';
import { crud, entity, get, NoInput, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { BooleanInt, Id, Integer, MultiSelect, Nullable, Reference, Select, Text } from '#shared/fields';
import { codes } from '#shared/menu-entry';
import { datasource } from './datasource-contract.ts';

const path = '/api/blade-develop';
const plain = { type: 'string' } as const;

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

const sameLabels = <const Value extends string>(values: readonly Value[]) => values.map((value) => [value, [value, value]] as const);
const tableName = Text({ title: ['物理表', 'Table'], maxLength: 64, search: true });

/** Table that was read, and the settings of its generated plugin. */
export const Model = entity(
  'model',
  {
    id: Id(),
    modelName: Text({ title: ['模型名称', 'Name'], maxLength: 64, search: true, sort: true }),
    datasourceId: Reference({ title: ['数据源', 'Data source'], onDelete: 'refuse', from: { call: datasource.select, entity: datasource.entity.name } }),
    modelTable: tableName,
    modelClass: Text({ title: ['模型类名', 'Class'], maxLength: 64, pattern: '^[A-Z][A-Za-z0-9]*$' }),
    modelCode: Text({ title: ['模型编号', 'Code'], maxLength: 64, pattern: '^[a-z][A-Za-z0-9]*$', search: true, sort: true }),
    modelRemark: Nullable(Text({ title: ['备注', 'Remark'] })),
  },
  { owner: 'platform', archivable: true },
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
    propertyType: Select({ title: ['属性类型', 'Property type'], options: sameLabels(propertyTypes) }),
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

const permissions = codes('model');
const readAccess = { code: permissions.page };
const TableRow = Type.Object({ name: Type.String(), comment: Type.String() });
export type TableRow = Static<typeof TableRow>;
const TableInfo = Type.Unsafe<{ name: string; comment: string; entityName: string; fields: PrototypeDraft[] } | null>({
  type: ['object', 'null'],
  properties: { name: plain, comment: plain, entityName: plain, fields: { type: 'array', items: PrototypeDraft } },
});

/** Number of tables that one call of `model.importTables` imports at most. */
export const maxImportedTables = 100;

export const model = {
  ...crud(`${path}/model`, Model),
  select: get(`${path}/model/select`, {
    title: ['模型下拉', 'Model options'],
    access: readAccess,
    input: NoInput,
    reply: Type.Array(Type.Object({ id: Id(), modelName: Type.String() })),
  }),
  /** Lists the tables of a data source, or without one those of this system's database. */
  tableList: get(`${path}/model/table-list`, {
    title: ['数据源的表', 'Tables'],
    access: readAccess,
    input: Type.Object({ datasourceId: Type.Optional(Id()) }),
    reply: Type.Array(TableRow),
  }),
  /** Returns a table by its model or by name; null when it does not exist. */
  tableInfo: get(`${path}/model/table-info`, {
    title: ['表信息', 'Table details'],
    access: readAccess,
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
    access: readAccess,
    input: Type.Object({ modelId: Type.Optional(Id()), datasourceId: Type.Optional(Id()), current: Type.Optional(Type.Boolean()) }),
    reply: Type.Array(PrototypeDraft),
  }),
  /** Creates models from tables, with guessed fields; tables that have a model are skipped. */
  importTables: post(`${path}/model/adopt`, {
    title: ['导入表', 'Import tables'],
    access: { code: permissions.add },
    input: Type.Object({
      datasourceId: Id(),
      tables: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: maxImportedTables }),
    }),
    reply: Type.Object({ added: Type.Integer(), skipped: Type.Integer() }),
  }),
};

export const prototype = {
  /** Replaces all fields of one model, in the given order. */
  submitList: post(`${path}/model-prototype/submit-list`, {
    title: ['保存模型字段', 'Save model fields'],
    access: { code: permissions.edit },
    input: Type.Array(PrototypeForm, { minItems: 1, maxItems: 1000 }),
    reply: Type.Unsafe<true>({ type: 'boolean' }),
  }),
  select: get(`${path}/model-prototype/select`, {
    title: ['字段下拉', 'Field options'],
    access: readAccess,
    input: Type.Object({ modelId: Type.Optional(Id()) }),
    reply: Type.Array(Type.Object({ jdbcName: Type.String(), jdbcComment: Type.String(), propertyName: Type.String() })),
  }),
};

export const modelProblems = {
  noTable: problem(404, ['表 {name} 不存在', 'Table {name} not found.']),
  tooWide: problem(400, ['表 {name} 的列过多，最多 {max} 列', 'Table {name} has too many columns. The limit is {max}.']),
  severalModels: problem(400, ['一次只能保存一个模型的字段', 'Save the fields of one model at a time.']),
  duplicateProperty: problem(400, ['属性名 {name} 重复', 'Duplicate property {name}.']),
  reservedProperty: problem(400, ['属性名 {name} 由系统保留，请改名', 'The property {name} is reserved. Use another name.']),
  propertyTooLong: problem(400, ['属性名 {name} 作为列名超过 63 个字符', 'The property {name} exceeds 63 characters as a column name.']),
};
