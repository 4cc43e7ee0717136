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

/** Stands for every tenant where a tenant is asked for. */
export const everyTenant = '*';
/** A tenant, or all of them; the caller's own unless said, and others for the platform's administrators alone. */
const Place = Omissible(text(12));

/** A plugin as it stands in one tenant, or in the whole deployment. */
const PluginRow = Shape({
  id: text(64),
  title: words,
  /** Where it has one of its own. */
  version: Omissible(text(64)),
  /** `leftOut`: it could not be started. */
  state: Unsafe<'running' | 'off' | 'leftOut'>({ type: 'string', enum: ['running', 'off', 'leftOut'] }),
  /** Why it does not run. */
  reason: Omissible(words),
  /** Why it cannot be switched here: off, or on where it is off. */
  fixed: Omissible(words),
  /** It failed at each start of the server and is tried again when somebody says so. */
  failsEachTime: Bool(),
  needs: List(Named),
  /** What goes with it, as far as it runs. */
  neededBy: List(Named),
  pages: List(words),
  codes: Integer(),
  /** What jobs by it do; they pause. */
  jobs: List(words),
  /** How many things it does unasked every so often, and how many decisions of others it has its say in. Both rest only where it is off for everybody. */
  rounds: Integer(),
  checks: Integer(),
});
export type PluginRow = Static<typeof PluginRow>;

/** The plugins of the deployment, and switching them. */
export const plugins = {
  list: get(`${path}/list`, { title: ['插件列表', 'Plugins'], who: { code: may.page }, input: Shape({ place: Place }), reply: List(PluginRow) }),
  /** Takes what needs it along, and brings that back. */
  turn: post(`${path}/switch`, {
    title: ['启用或停用插件', 'Switch a plugin'],
    who: { code: may.turn },
    input: Shape({ id: text(64), on: Bool(), place: Place }),
    reply: Done,
  }),
  /** Has the servers try a plugin again, with their next start, that failed at each. */
  retry: post(`${path}/retry`, { title: ['重试插件', 'Retry a plugin'], who: { code: may.turn }, input: Shape({ id: text(64) }), reply: Done }),
  /** Tenants by name or number, for the platform's administrators. */
  tenants: get(`${path}/tenants`, {
    title: ['可选租户', 'Tenants'],
    who: { code: may.page },
    input: Shape({ name: Omissible(Unsafe<string>({ type: 'string', maxLength: 64 })) }),
    reply: List(Shape({ id: text(12), name: text(255) })),
  }),
};

/** Why a plugin stays as it is. */
export const pluginProblems = {
  notYours: problem(403, ['仅平台管理员可以为其他租户或全部租户启停插件', "Only the platform's administrators switch plugins for other tenants or for all."]),
  unknown: problem(404, ['没有此插件', 'There is no such plugin.']),
  unknownTenant: problem(404, ['没有此租户', 'There is no such tenant.']),
};

/** The sentences by which a switch is refused. */
export const fixedWords = {
  core: (): Words => ['核心插件，不能停用', 'It is a core plugin and cannot be switched off.'],
  neededByCore: ([zh, en]: Words): Words => [`核心插件“${zh}”依赖它，不能停用`, `The core plugin “${en}” needs it, so it cannot be switched off.`],
  byPlatform: (): Words => [
    '已由平台为全部租户停用，只有平台管理员可以启用',
    'The platform has switched it off for everybody. Only its administrators can switch it on.',
  ],
  goesWith: ([zh, en]: Words): Words => [`它依赖的“${zh}”已停用，请先启用“${zh}”`, `It needs “${en}”, which is switched off. Switch “${en}” on first.`],
} as const;

/** Refuses a switch with a sentence. */
export const fixed = (reason: Words): Problem => problem(409, reason);
