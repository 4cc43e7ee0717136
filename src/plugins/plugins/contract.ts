import type { Static } from 'typebox';
import * as Type from 'typebox';
import { get, NoContent, post } from '#shared/contract';
import { type Problem, problem } from '#shared/errors';
import type { LocalizedText } from '#shared/text';
import { pluginsMenu } from './menus.ts';

const path = '/api/blade-system/plugin';
const may = { page: pluginsMenu.code, toggle: 'plugin_switch' } as const;
const localizedText = Type.Unsafe<LocalizedText>({ type: 'array', items: { type: 'string' } });
const text = (maxLength: number) => Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength });
const name = Type.Unsafe<string>({ type: 'string' });
const Named = Type.Object({ id: text(64), title: localizedText });

/** Stands for all tenants in place of a tenant code. */
export const everyTenant = '*';
/** Tenant code or all tenants; the caller's own tenant by default. Only platform administrators can name others. */
const Scope = Type.Optional(text(12));

/** State of a plugin in one tenant or in the whole deployment. */
const PluginRow = Type.Object({
  id: text(64),
  title: localizedText,
  /** Absent when the plugin declares no version. */
  version: Type.Optional(text(64)),
  /** `leftOut` means that the plugin failed to start. */
  state: Type.Unsafe<'running' | 'off' | 'leftOut'>({ type: 'string', enum: ['running', 'off', 'leftOut'] }),
  /** Reason the plugin does not run. */
  reason: Type.Optional(localizedText),
  /** Reason the plugin cannot be enabled or disabled in this scope. */
  fixed: Type.Optional(localizedText),
  /** True for a plugin that failed at each start of the server; it is started again only on request. */
  failsEachTime: Type.Boolean(),
  /** Unhandled errors of the last seven days on all servers; reported to the platform only. */
  strayErrors: Type.Integer(),
  needs: Type.Array(Named),
  /** Running plugins that are disabled with it. */
  neededBy: Type.Array(Named),
  pages: Type.Array(localizedText),
  codes: Type.Integer(),
  /** Titles of its scheduled jobs, which are paused with it. */
  jobs: Type.Array(localizedText),
  /** Number of its interval tasks, and of its filters on actions of other plugins. Both stop only when the plugin is disabled for all tenants. */
  rounds: Type.Integer(),
  checks: Type.Integer(),
  /** Details for administrators of the platform. */
  details: Type.Optional(
    Type.Object({
      /** Tables that it has created. */
      tables: Type.Array(name),
      /** Services that it provides to other plugins, and those of others that it uses. */
      provides: Type.Array(name),
      uses: Type.Array(name),
      /** Fields that it adds to records of other plugins, and those that it restricts. */
      fields: Type.Array(name),
      rules: Type.Array(name),
      /** Milliseconds of its last start on this server. */
      startMs: Type.Optional(Type.Integer()),
      /** Calls that this server has answered since its start, and their average duration in milliseconds. */
      calls: Type.Integer(),
      callMs: Type.Integer(),
      /** Bytes of memory of the process in which it is contained, 0 while that does not run; absent for a plugin inside the server. */
      processBytes: Type.Optional(Type.Integer()),
    }),
  ),
});
export type PluginRow = Static<typeof PluginRow>;

/** Lists the plugins of the deployment, and enables or disables them. */
export const plugins = {
  list: get(`${path}/list`, { title: ['插件列表', 'Plugins'], access: { code: may.page }, input: Type.Object({ place: Scope }), reply: Type.Array(PluginRow) }),
  /** Disables the dependent plugins too, and enables them again with the plugin. */
  setEnabled: post(`${path}/switch`, {
    title: ['启用或停用插件', 'Enable or disable a plugin'],
    access: { code: may.toggle },
    input: Type.Object({ id: text(64), on: Type.Boolean(), place: Scope }),
    reply: NoContent,
  }),
  /** Requests that the servers start a crash-looping plugin again at their next start. */
  retry: post(`${path}/retry`, { title: ['重试插件', 'Retry a plugin'], access: { code: may.toggle }, input: Type.Object({ id: text(64) }), reply: NoContent }),
  /** Finds tenants by name or code, for platform administrators. */
  tenants: get(`${path}/tenants`, {
    title: ['可选租户', 'Tenants'],
    access: { code: may.page },
    input: Type.Object({ name: Type.Optional(Type.Unsafe<string>({ type: 'string', maxLength: 64 })) }),
    reply: Type.Array(Type.Object({ id: text(12), name: text(255) })),
  }),
};

/** Refusals of enabling or disabling a plugin. */
export const pluginProblems = {
  platformOnly: problem(403, [
    '仅平台管理员可以为其他租户或全部租户启停插件',
    'Only platform administrators can enable or disable plugins for other tenants or all tenants.',
  ]),
  unknown: problem(404, ['插件不存在', 'Plugin not found.']),
  unknownTenant: problem(404, ['租户不存在', 'Tenant not found.']),
};

/** Reasons a plugin cannot be enabled or disabled. */
export const fixedMessages = {
  core: (): LocalizedText => ['核心插件，不能停用', 'Core plugins cannot be disabled.'],
  neededByCore: ([zh, en]: LocalizedText): LocalizedText => [
    `核心插件「${zh}」依赖它，不能停用`,
    `The core plugin “${en}” depends on it, so it cannot be disabled.`,
  ],
  byPlatform: (): LocalizedText => [
    '已由平台为全部租户停用，只有平台管理员可以启用',
    'Disabled by the platform for all tenants. Only platform administrators can enable it.',
  ],
  requiresDisabled: ([zh, en]: LocalizedText): LocalizedText => [
    `它依赖的「${zh}」已停用，请先启用「${zh}」`,
    `It requires “${en}”, which is disabled. Enable “${en}” first.`,
  ],
} as const;

/** Builds the problem that carries such a reason. */
export const cannotBeChanged = (reason: LocalizedText): Problem => problem(409, reason);
