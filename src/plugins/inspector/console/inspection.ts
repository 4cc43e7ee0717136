import { type Diagnostics, loadedAdditions, type ScreenAddition } from '#kernel';
import { addedFields } from '#shared/entity-extension';
import type { MenuItem } from '#shared/menus';
import type { LocalizedText } from '#shared/text';
import { type ServerContribution, serverContributionKinds } from '../contract.ts';
import { kinds, verdicts } from './messages.ts';

/** One contribution of a running plugin to the console. */
export interface Contribution {
  readonly kind: LocalizedText;
  readonly what: string;
  readonly pluginId: string;
  /** True when the contribution is inactive because its plugin is switched off. */
  readonly isOff?: boolean;
}

/** Converts the contributions to the server, as the server reports them. */
export const onServer = (contributions: readonly ServerContribution[]): Contribution[] =>
  contributions.map(({ kind, ...rest }) => ({ kind: serverContributionKinds[kind], ...rest }));

/** Lists everything running plugins have contributed to the console, by kind. */
export function contributionsOf({
  states,
  definitions,
  slots,
  listeners,
}: Pick<Diagnostics, 'states' | 'definitions' | 'slots' | 'listeners'>): Contribution[] {
  const running = new Set(states.filter(({ status }) => status === 'running').map(({ id }) => id));
  const own = definitions
    .filter(({ id }) => running.has(id))
    .flatMap(({ id, pages = [], overrides = [], search = [] }) => [
      ...pages.map(({ menu }) => ({ kind: kinds.page, what: `${menu.code} · ${menu.path}`, pluginId: id })),
      ...overrides.map(({ menu }) => ({ kind: kinds.override, what: `${menu.code} · ${menu.path}`, pluginId: id })),
      ...search.map(({ menu }) => ({ kind: kinds.search, what: menu.code, pluginId: id })),
    ]);
  const filled = [...slots].flatMap(([slot, parts]) => parts.map(({ key, pluginId }) => ({ kind: kinds.slot, what: `${slot} · ${key}`, pluginId })));
  const screens = loadedAdditions(slots).flatMap(({ slot, pluginId, addition }) => inScreen(slot, pluginId, addition));
  const heard = [...listeners].flatMap(([event, owners]) =>
    [...new Set(owners)].flatMap((pluginId) => {
      const times = owners.filter((owner) => owner === pluginId).length;
      return pluginId === undefined ? [] : { kind: kinds.event, what: times > 1 ? `${event} × ${times}` : event, pluginId };
    }),
  );
  return [...own, ...filled, ...screens, ...heard];
}

/** Lists the fields, columns, rules and inputs a plugin adds to or replaces in one generic screen. */
function inScreen(slot: string, pluginId: string, { fields, columns, overrides, inputs }: ScreenAddition): Contribution[] {
  const named = (kind: LocalizedText, names: readonly string[]) => names.map((name) => ({ kind, what: `${slot} · ${name}`, pluginId }));
  return [
    ...named(kinds.field, Object.keys(fields ? addedFields(fields) : {})),
    ...named(kinds.rule, Object.keys(fields?.tightened ?? {})),
    ...named(kinds.input, Object.keys(inputs ?? {})),
    ...named(kinds.column, Object.keys(columns ?? {})),
    ...named(kinds.columnOverride, Object.keys(overrides ?? {})),
  ];
}

/** Explains why a menu entry is shown or hidden. */
export interface MenuAnswer {
  readonly code: string;
  readonly title: LocalizedText;
  readonly pluginId: string;
  readonly isShown: boolean;
  readonly verdict: LocalizedText;
  /** Address to explain further where permissions decide. */
  readonly about?: string;
}

/** Fixed addresses of every console whose pages a plugin may provide: they need no menu entry. */
const fixedPaths: ReadonlySet<string> = new Set(['/wel', '/wel/dashboard']);

/** Explains every page of the deployment and every menu entry; hidden ones come first. */
export function menuAnswers({ states, definitions, menu }: Pick<Diagnostics, 'states' | 'definitions' | 'menu'>): MenuAnswer[] {
  const items = 'items' in menu ? flat(menu.items) : undefined;
  const claimed = new Set<MenuItem>();
  const pages = definitions.flatMap(({ id, pages: own = [] }) => {
    const state = states.find((each) => each.id === id);
    return own.map(({ menu: { code, title, path }, route }): MenuAnswer => {
      const item = items?.find((each) => each.code === code) ?? items?.find((each) => plain(each.path) === path);
      if (item) claimed.add(item);
      const answer = { code, title, pluginId: id };
      if (state?.status !== 'running') return { ...answer, isShown: false, verdict: verdicts.notRunning(state?.cause?.words ?? verdicts.unknown) };
      if (route || fixedPaths.has(path)) return { ...answer, isShown: true, verdict: verdicts.fixed };
      if (!items) return { ...answer, isShown: false, verdict: menu.status === 'failed' ? verdicts.menuFailed(menu.message) : verdicts.menuComing };
      if (!item) return { ...answer, isShown: false, verdict: verdicts.notGranted, about: `${path}/index` };
      return { ...answer, isShown: true, verdict: item.code === code ? verdicts.shown : verdicts.byPath(item.code) };
    });
  });
  const unread = states.filter(({ id, status }) => status === 'quarantined' && !definitions.some((each) => each.id === id));
  const lost = unread.map(
    ({ id, title, cause }): MenuAnswer => ({ code: '', title, pluginId: id, isShown: false, verdict: verdicts.notRead(cause?.words ?? verdicts.unknown) }),
  );
  const unclaimed = (items ?? [])
    .filter((item) => !item.children?.length && item.path && !claimed.has(item) && !/^https?:/.test(item.path))
    .map(({ code, name }): MenuAnswer => ({ code, title: [name, name], pluginId: '', isShown: false, verdict: verdicts.unclaimed }));
  return [...lost, ...unclaimed, ...pages].sort((one, other) => Number(one.isShown) - Number(other.isShown));
}

const plain = (path: string): string => path.replace(/\?.*$/, '').replace(/\/index\/?$|\/$/, '');
const flat = (items: readonly MenuItem[]): MenuItem[] => items.flatMap((item) => [item, ...flat(item.children ?? [])]);

/** Summarizes everything as text for a support request; payloads and states are left out, because they may be personal. */
export function textOf(diagnostics: Diagnostics, t: (text: LocalizedText) => string): string {
  const plugins = diagnostics.states.map(({ id, status, cause, timings, faults }) => {
    const times = Object.entries(timings).map(([phase, time]) => `${phase} ${time.toFixed(1)} ms`);
    return [id, status, ...times, `${faults} faults`, ...(cause ? [t(cause.words)] : [])].join(' · ');
  });
  const contributions = contributionsOf(diagnostics).map(({ kind, what, pluginId }) => `${pluginId} · ${t(kind)} · ${what}`);
  const menus = menuAnswers(diagnostics).map(({ code, pluginId, verdict }) => `${code} · ${pluginId} · ${t(verdict)}`);
  const services = diagnostics
    .containers()
    .flatMap(({ owner, services: own }) => own.map(({ name, needs }) => `${owner} · ${name}${needs.length > 0 ? ` ← ${needs.join(', ')}` : ''}`));
  return [
    ['plugins', plugins],
    ['contributions', contributions],
    ['menus', menus],
    ['services', services],
  ]
    .map(([title, rows]) => `# ${title}\n${(rows as string[]).join('\n')}`)
    .join('\n\n');
}
