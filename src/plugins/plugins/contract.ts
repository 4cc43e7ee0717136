import { Boolean as Bool, Integer, Array as List, Optional as Omissible, Object as Shape, type Static, Unsafe } from 'typebox';
import { Done, get, post } from '#shared/contract';
import { type Problem, problem } from '#shared/errors';
import type { Words } from '#shared/text';
import { pluginsMenu } from './menus.ts';

const path = '/api/blade-system/plugin';
const may = { page: pluginsMenu.code, turn: 'plugin_switch' } as const;
const words = Unsafe<Words>({ type: 'array', items: { type: 'string' } });
const text = (maxLength: number) => Unsafe<string>({ type: 'string', minLength: 1, maxLength });
const Named = Shape({ id: text(64), title: words });

/** Stands for all tenants in place of a tenant code. */
export const everyTenant = '*';
/** Tenant code or all tenants; the caller's own tenant by default. Only platform administrators can name others. */
const Place = Omissible(text(12));

/** State of a plugin in one tenant or in the whole deployment. */
const PluginRow = Shape({
  id: text(64),
  title: words,
  /** Absent when the plugin declares no version. */
  version: Omissible(text(64)),
  /** `leftOut` means that the plugin failed to start. */
  state: Unsafe<'running' | 'off' | 'leftOut'>({ type: 'string', enum: ['running', 'off', 'leftOut'] }),
  /** Reason the plugin does not run. */
  reason: Omissible(words),
  /** Reason the plugin cannot be enabled or disabled in this scope. */
  fixed: Omissible(words),
  /** True for a plugin that failed at each start of the server; it is started again only on request. */
  failsEachTime: Bool(),
  /** Unhandled errors of the last seven days on all servers; reported to the platform only. */
  strayErrors: Integer(),
  needs: List(Named),
  /** Running plugins that are disabled with it. */
  neededBy: List(Named),
  pages: List(words),
  codes: Integer(),
  /** Titles of its scheduled jobs, which are paused with it. */
  jobs: List(words),
  /** Number of its interval tasks, and of its filters on actions of other plugins. Both stop only when the plugin is disabled for all tenants. */
  rounds: Integer(),
  checks: Integer(),
});
export type PluginRow = Static<typeof PluginRow>;

/** Lists the plugins of the deployment, and enables or disables them. */
export const plugins = {
  list: get(`${path}/list`, { title: ['插件列表', 'Plugins'], who: { code: may.page }, input: Shape({ place: Place }), reply: List(PluginRow) }),
  /** Disables the dependent plugins too, and enables them again with the plugin. */
  turn: post(`${path}/switch`, {
    title: ['启用或停用插件', 'Enable or disable a plugin'],
    who: { code: may.turn },
    input: Shape({ id: text(64), on: Bool(), place: Place }),
    reply: Done,
  }),
  /** Requests that the servers start a crash-looping plugin again at their next start. */
  retry: post(`${path}/retry`, { title: ['重试插件', 'Retry a plugin'], who: { code: may.turn }, input: Shape({ id: text(64) }), reply: Done }),
  /** Finds tenants by name or code, for platform administrators. */
  tenants: get(`${path}/tenants`, {
    title: ['可选租户', 'Tenants'],
    who: { code: may.page },
    input: Shape({ name: Omissible(Unsafe<string>({ type: 'string', maxLength: 64 })) }),
    reply: List(Shape({ id: text(12), name: text(255) })),
  }),
};

/** Refusals of enabling or disabling a plugin. */
export const pluginProblems = {
  notYours: problem(403, [
    '仅平台管理员可以为其他租户或全部租户启停插件',
    'Only platform administrators can enable or disable plugins for other tenants or all tenants.',
  ]),
  unknown: problem(404, ['插件不存在', 'Plugin not found.']),
  unknownTenant: problem(404, ['租户不存在', 'Tenant not found.']),
};

/** Reasons a plugin cannot be enabled or disabled. */
export const fixedWords = {
  core: (): Words => ['核心插件，不能停用', 'Core plugins cannot be disabled.'],
  neededByCore: ([zh, en]: Words): Words => [`核心插件「${zh}」依赖它，不能停用`, `The core plugin “${en}” depends on it, so it cannot be disabled.`],
  byPlatform: (): Words => [
    '已由平台为全部租户停用，只有平台管理员可以启用',
    'Disabled by the platform for all tenants. Only platform administrators can enable it.',
  ],
  goesWith: ([zh, en]: Words): Words => [`它依赖的「${zh}」已停用，请先启用「${zh}」`, `It requires “${en}”, which is disabled. Enable “${en}” first.`],
} as const;

/** Builds the problem that carries such a reason. */
export const fixed = (reason: Words): Problem => problem(409, reason);
