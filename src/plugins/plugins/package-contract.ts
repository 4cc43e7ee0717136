import type { Static } from 'typebox';
import * as Type from 'typebox';
import { get, NoContent, NoInput, post } from '#shared/contract';
import { problem } from '#shared/errors';
import { pluginsMenu } from './menus.ts';

const path = '/api/blade-system/plugin/package';
/** Permission to install, update, revert and remove packages; only platform administrators can use it. */
const access = { code: 'plugin_install' } as const;
const id = Type.Unsafe<string>({ type: 'string', pattern: '^[a-z][a-z0-9-]{0,63}$' });
const digest = Type.Unsafe<string>({ type: 'string', pattern: '^[0-9a-f]{64}$' });
const text = Type.Unsafe<string>({ type: 'string' });
const texts = Type.Array(text);

/** A package that was uploaded and can be installed. */
const UploadedPackage = Type.Object({
  digest,
  id,
  version: text,
  name: text,
  description: text,
  author: text,
  /** Changes of this version, in the words of its author. */
  changes: texts,
  /** Name of the key that has signed it; absent for an unsigned package. */
  signer: Type.Optional(text),
  hasConsole: Type.Boolean(),
  hasServer: Type.Boolean(),
  /** True if its server half runs in a process of its own, which reaches its own tables and the ports that it is granted. */
  isContained: Type.Boolean(),
  /** Reach of its code, as the server has found it, and the ports that a contained plugin is granted by its installation. */
  rights: Type.Object({ tables: texts, otherTables: texts, plugins: texts, nodeModules: texts, services: texts, origins: texts, inbox: Type.Boolean() }),
  /** Version that runs now; absent for a new plugin. */
  installedVersion: Type.Optional(text),
});
export type UploadedPackage = Static<typeof UploadedPackage>;

/** A plugin that runs from a package. */
const InstalledPackage = Type.Object({
  id,
  version: text,
  description: text,
  author: text,
  /** Changes of this version, in the words of its author. */
  changes: texts,
  isContained: Type.Boolean(),
  signer: Type.Optional(text),
  /** Version to which it can return. */
  previousVersion: Type.Optional(text),
});
export type InstalledPackage = Static<typeof InstalledPackage>;

const ById = Type.Object({ id });

/** Packages of plugins that are added to the running deployment. */
export const packages = {
  list: get(`${path}/list`, {
    title: ['插件包列表', 'Packages'],
    access: { code: pluginsMenu.code },
    input: NoInput,
    reply: Type.Object({
      /** Packages that the deployment accepts: none, signed ones, or any. */
      accepted: Type.Unsafe<'none' | 'signed' | 'any'>({ type: 'string', enum: ['none', 'signed', 'any'] }),
      packages: Type.Array(InstalledPackage),
    }),
  }),
  /** Reads and stores a package, which `install` then starts. */
  upload: post(`${path}/upload`, { title: ['上传插件包', 'Upload a package'], access, upload: true, input: NoInput, reply: UploadedPackage }),
  /** Installs a package or an update on all servers. If it does not start, the version before keeps running. */
  install: post(`${path}/install`, { title: ['安装插件包', 'Install a package'], access, input: Type.Object({ digest }), reply: NoContent }),
  /** Returns to the version that ran before. */
  revert: post(`${path}/revert`, { title: ['恢复插件的上一版本', 'Return to the version before'], access, input: ById, reply: NoContent }),
  /** Lists the tables of a plugin, and the tables of others that refer to them. */
  data: get(`${path}/data`, {
    title: ['插件的数据', 'Data of a plugin'],
    access,
    input: ById,
    reply: Type.Object({
      tables: Type.Array(Type.Object({ name: text, rows: Type.Integer() })),
      holders: Type.Array(Type.Object({ table: text, target: text })),
    }),
  }),
  /** Takes a plugin out of all servers. Its tables and rows stay, unless `withData` drops them. */
  remove: post(`${path}/remove`, {
    title: ['卸载插件包', 'Uninstall a package'],
    access,
    effect: 'removed',
    input: Type.Object({ id, withData: Type.Optional(Type.Boolean()) }),
    reply: NoContent,
  }),
};

export const packageProblems = {
  platformOnly: problem(403, ['仅平台管理员可以安装插件', 'Only platform administrators can install plugins.']),
  tooLarge: problem(413, ['插件包不能超过 {megabytes} MB', 'A package cannot exceed {megabytes} MB.']),
};
