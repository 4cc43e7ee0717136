import type { Static } from 'typebox';
import * as Type from 'typebox';
import { crud, entity, get, Ids, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { Id, Nullable, Reference, Refused, Select, Text } from '#shared/fields';
import { codes } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';
import { model } from './model-contract.ts';

const path = '/api/blade-develop';

const named = { maxLength: 64, pattern: '^[^\\x00-\\x1f]+$' } as const;
const isTree = { field: 'templateType', is: 'tree' } as const;
const isSub = { field: 'templateType', is: 'sub' } as const;
/** Patterns of the call path and page path of a generated plugin. */
export const addressPatterns = { apiPath: '^/api/[a-z0-9-]+(/[a-z0-9-]+)+$', webPath: '^/[a-z0-9-]+/[a-z0-9_-]+$' } as const;
const propertyName = { maxLength: 50, pattern: '^[a-z][A-Za-z0-9]*$', list: false } as const;

/** Generated plugin: its model, names, paths and kind of screen. */
export const GeneratedCode = entity(
  'code',
  {
    id: Id(),
    codeName: Text({ title: ['模块名称', 'Chinese name'], ...named, search: true, sort: true }),
    englishName: Text({ title: ['英文名称', 'English name'], ...named }),
    modelId: Reference({ title: ['数据模型', 'Data model'], onDelete: 'refuse', from: { call: model.select, entity: model.entity.name, title: 'modelName' } }),
    serviceName: Text({
      title: ['插件编号', 'Plugin'],
      maxLength: 40,
      pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$',
      search: true,
      sort: true,
      help: ['src/plugins 下的文件夹', 'Folder in src/plugins'],
    }),
    tableName: Text({ title: ['本系统的表', 'System table'], maxLength: 50, pattern: '^[a-z][a-z0-9_]*$' }),
    templateType: Select({
      title: ['模板类型', 'Template'],
      options: [
        ['crud', ['单表', 'List']],
        ['tree', ['树表', 'Tree']],
        ['sub', ['主子表', 'Master–detail']],
      ],
      default: 'crud',
    }),
    treePid: Nullable(Text({ title: ['上级属性', 'Parent property'], ...propertyName, visible: isTree, requiredWhen: isTree })),
    subModelId: Nullable(
      Reference({
        title: ['子表模型', 'Detail model'],
        onDelete: 'refuse',
        from: { call: model.select, entity: model.entity.name, title: 'modelName' },
        list: false,
        visible: isSub,
        requiredWhen: isSub,
      }),
    ),
    subFkId: Nullable(Text({ title: ['子表外键属性', 'Detail foreign key property'], ...propertyName, visible: isSub, requiredWhen: isSub })),
    menuGroup: Select({
      title: ['所属菜单', 'Parent menu'],
      options: Object.values(menuGroups).map(({ code, title }) => [code, title] as const),
      default: 'base',
      list: false,
    }),
    apiPath: Text({ title: ['接口地址', 'API path'], maxLength: 100, pattern: addressPatterns.apiPath, width: 220 }),
    webPath: Text({ title: ['页面地址', 'Page path'], maxLength: 100, pattern: addressPatterns.webPath, width: 180 }),
  },
  { owner: 'platform' },
);
export type CodeRow = RowOf<typeof GeneratedCode>;

/** File with its current and its merged content. */
const CodeFile = Type.Object({
  path: Type.String(),
  state: Type.Unsafe<'new' | 'same' | 'changed' | 'merged' | 'conflict'>({ type: 'string' }),
  current: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  text: Type.String(),
});
export type CodeFile = Static<typeof CodeFile>;

/** Labels of the two sides of a conflict in a file. */
export const conflictLabels = { a: 'by hand', b: 'generated' } as const;
/** Beginnings of the lines before each side of a conflict, and after both. */
export const conflictMarkers = { mine: `<<<<<<< ${conflictLabels.a}`, theirs: '=======', end: `>>>>>>> ${conflictLabels.b}` } as const;

/** Parts that `gen-code` generates, by the value of `system`. */
export const systems = {
  all: 'the whole plugin: both halves, its tests, its tables as SQL and its calls as OpenAPI',
  server: 'contract, menu, server half and tests',
  console: 'contract, menu and console half',
  openapi: 'the description of its calls',
  sql: 'its tables as one script',
} as const;
export type System = keyof typeof systems;
/** Front ends that BladeX-compatible clients name. This system generates its own pages, so these values mean the whole plugin. */
export const frontEnds = ['saber', 'saber3', 'sword'] as const;
const systemsDescription = `${Object.entries(systems)
  .map(([name, content]) => `\`${name}\`: ${content}`)
  .join('; ')}. Left out, and as ${frontEnds.map((name) => `\`${name}\``).join(', ')}, it means \`all\`.`;

const readAccess = { code: codes('code').page };
const generateAccess = { code: 'code_gen' };
const Zip = Type.Object({ name: Type.String(), content: Type.String({ contentEncoding: 'base64' }) });

const CodeForm = Type.Object({
  /** Field of other products, which reference a table instead of a model. */
  datasourceId: Refused(['请先由该表创建数据模型，再选择该数据模型（modelId）', 'Create a data model from the table first, then select it (modelId).'], {
    field: 'modelId',
    filled: false,
  }),
  ...GeneratedCode.form.properties,
  /** Defaults to the table's name, as separate words. */
  englishName: Type.Optional(Text({ title: ['英文名称', 'English name'], ...named })),
  // A local folder, as other products accept it, is refused with its own message.
  apiPath: Text({ title: ['接口地址', 'API path'] }),
  webPath: Text({ title: ['页面地址', 'Page path'] }),
});

export const code = {
  ...crud(`${path}/code`, GeneratedCode, { input: CodeForm }),
  copy: post(`${path}/code/copy`, { title: ['复制', 'Copy'], access: { code: codes('code').add }, input: Type.Object({ id: Id() }), reply: GeneratedCode.row }),
  /** Creates one plugin for each model with the model's name; models that have one are skipped. */
  createFromModels: post(`${path}/code/adopt`, {
    title: ['由模型创建', 'Create from models'],
    access: { code: codes('code').add },
    input: Ids,
    reply: Type.Object({ added: Type.Integer() }),
  }),
  preview: get(`${path}/code/preview`, {
    title: ['预览', 'Preview'],
    access: readAccess,
    input: Type.Object({ id: Type.Optional(Id()) }),
    reply: Type.Object({ canWrite: Type.Boolean(), files: Type.Array(CodeFile) }),
  }),
  /** Returns the files of several plugins and a description of their calls as one archive. */
  zip: post(`${path}/code/zip`, { title: ['下载代码', 'Download code'], access: generateAccess, input: Ids, reply: Zip }),
  /**
   * In development, writes into the sources this server was built from: manual edits are kept, with `keepMine` even where both sides have changed the same lines. Elsewhere
   * there are no sources, and the reply is the archive.
   */
  genCode: post(`${path}/code/gen-code`, {
    title: ['生成代码', 'Generate code'],
    access: generateAccess,
    input: Type.Object({
      ids: Ids.properties.ids,
      system: Type.Optional(Type.String({ maxLength: 32, description: systemsDescription })),
      keepMine: Type.Optional(Type.Boolean()),
    }),
    reply: Type.Object({
      written: Type.Array(Type.String()),
      download: Type.Unsafe<Static<typeof Zip> | null>({ ...Zip, type: ['object', 'null'] }),
    }),
  }),
};

export const codeProblems = {
  unknownSystem: problem(400, ['system 的可选值：{values}', 'system must be one of: {values}']),
  conflicts: problem(409, ['{count} 个文件与手工修改冲突：{files}', '{count} files conflict with manual edits: {files}']),
  apiPath: problem(400, [
    '接口地址须为本系统的地址，例如 /api/shop/goods，不是磁盘路径',
    'Enter a path of this system, such as /api/shop/goods, not a folder.',
  ]),
  webPath: problem(400, ['页面地址须为本系统的地址，例如 /shop/goods，不是磁盘路径', 'Enter a path of this system, such as /shop/goods, not a folder.']),
  noFields: problem(400, ['模型没有可用的字段', 'The model has no usable fields.']),
  noProperty: problem(400, ['模型中没有属性 {name}', 'Property {name} not found in the model.']),
  reserved: problem(400, ['{name} 已被系统占用，请改名', '{name} is reserved by the system. Use another name.']),
};
