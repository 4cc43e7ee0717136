import { Array as List, Optional as Omissible, Object as Shape, type Static, Unsafe } from 'typebox';
import { crud, entity, get, Ids, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { Choice, Id, Optional, Reference, Text } from '#shared/fields';
import { codes } from '#shared/menu-entry';
import { menuGroups } from '#shared/menus';
import { model } from './model-contract.ts';

const path = '/api/blade-develop';
const plain = { type: 'string' } as const;

const named = { maxLength: 64, pattern: '^[^\\x00-\\x1f]+$' } as const;
const isTree = { field: 'templateType', is: 'tree' } as const;
const isSub = { field: 'templateType', is: 'sub' } as const;
const propertyName = { maxLength: 50, pattern: '^[a-z][A-Za-z0-9]*$', list: false } as const;

/** A plugin to be written from a model: its names, its addresses, and what kind of screen it has. */
export const GeneratedCode = entity(
  'code',
  {
    id: Id(),
    codeName: Text({ title: ['模块名称', 'Chinese name'], ...named, search: true, sort: true }),
    englishName: Text({ title: ['英文名称', 'English name'], ...named }),
    modelId: Reference({ title: ['数据模型', 'Data model'], from: { call: model.select, title: 'modelName' } }),
    serviceName: Text({
      title: ['插件编号', 'Plugin'],
      maxLength: 40,
      pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$',
      search: true,
      sort: true,
      help: ['src/plugins 下的文件夹', 'Its folder in src/plugins'],
    }),
    tableName: Text({ title: ['本系统的表', 'Table of this system'], maxLength: 50, pattern: '^[a-z][a-z0-9_]*$' }),
    templateType: Choice({
      title: ['模板类型', 'Screen'],
      options: [
        ['crud', ['单表', 'List']],
        ['tree', ['树表', 'Tree']],
        ['sub', ['主子表', 'Rows with details']],
      ],
      default: 'crud',
    }),
    treePid: Optional(Text({ title: ['上级属性', 'Property of the row above'], ...propertyName, visible: isTree, requiredWhen: isTree })),
    subModelId: Optional(
      Reference({
        title: ['子表模型', 'Model of the details'],
        from: { call: model.select, title: 'modelName' },
        list: false,
        visible: isSub,
        requiredWhen: isSub,
      }),
    ),
    subFkId: Optional(Text({ title: ['子表外键属性', 'Property of the details that names the row'], ...propertyName, visible: isSub, requiredWhen: isSub })),
    menuGroup: Choice({ title: ['所属菜单', 'Under'], options: menuGroups.map(({ code, title }) => [code, title] as const), default: 'base', list: false }),
    apiPath: Text({ title: ['接口地址', 'Address of its calls'], maxLength: 100, pattern: '^/api/[a-z0-9-]+(/[a-z0-9-]+)+$', width: 220 }),
    webPath: Text({ title: ['页面地址', 'Address of its page'], maxLength: 100, pattern: '^/[a-z0-9-]+/[a-z0-9_-]+$', width: 180 }),
  },
  { owner: 'platform' },
);
export type CodeRow = RowOf<typeof GeneratedCode>;

/** A file as it would be written: what stands there now, and what comes of both. */
const CodeFile = Unsafe<{ path: string; state: 'new' | 'same' | 'changed' | 'merged' | 'conflict'; current: string | null; text: string }>({
  type: 'object',
  properties: { path: plain, state: plain, current: { type: ['string', 'null'] }, text: plain },
});
export type CodeFile = Static<typeof CodeFile>;

const seesCode = { code: codes('code').page };
const generates = { code: 'code_gen' };
const Zip = Shape({ name: Unsafe<string>(plain), content: Unsafe<string>({ type: 'string', contentEncoding: 'base64' }) });

export const code = {
  ...crud(`${path}/code`, GeneratedCode),
  copy: post(`${path}/code/copy`, { title: ['复制', 'Copy'], who: { code: codes('code').add }, input: Shape({ id: Id() }), reply: GeneratedCode.row }),
  /** One for each model, named as the model is; models that have one are left alone. */
  adopt: post(`${path}/code/adopt`, {
    title: ['由模型建立', 'Make of models'],
    who: { code: codes('code').add },
    input: Ids,
    reply: Shape({ added: Unsafe<number>({ type: 'integer' }) }),
  }),
  preview: get(`${path}/code/preview`, {
    title: ['预览', 'Preview'],
    who: seesCode,
    input: Shape({ id: Omissible(Id()) }),
    reply: Shape({ canWrite: Unsafe<boolean>({ type: 'boolean' }), files: List(CodeFile) }),
  }),
  /** The files of several plugins with a description of their calls, as one archive. */
  zip: post(`${path}/code/zip`, { title: ['下载代码', 'Download'], who: generates, input: Ids, reply: Zip }),
  /** Writes into the sources this server was built from, which it only has in development. Hand edits stay; with `keepMine` also where both have changed the same lines. */
  genCode: post(`${path}/code/gen-code`, {
    title: ['生成代码', 'Generate'],
    who: generates,
    input: Shape({
      ids: Ids.properties.ids,
      system: Omissible(Unsafe<string>({ type: 'string', maxLength: 32 })),
      keepMine: Omissible(Unsafe<boolean>({ type: 'boolean' })),
    }),
    reply: Shape({ written: List(Unsafe<string>(plain)) }),
  }),
};

export const codeProblems = {
  onlyDevelopment: problem(409, ['仅开发环境可写入源码，请下载代码', 'Sources are only written in development. Download the code instead.']),
  conflicts: problem(409, ['{count} 个文件与手工修改冲突：{files}', '{count} files conflict with edits by hand: {files}']),
  noFields: problem(400, ['模型没有可用的字段', 'The model has no field that is shown or entered.']),
  noProperty: problem(400, ['模型中没有属性 {name}', 'The model has no property {name}.']),
  reserved: problem(400, ['{name} 已被系统占用，请改名', '{name} is taken by the system. Call it something else.']),
};
