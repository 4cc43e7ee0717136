import { type Diagnostics, loadedAdditions, type ScreenAddition } from '#kernel';
import { addedFields } from '#shared/entity-extension';
import type { MenuItem } from '#shared/menus';
import type { LocalizedText } from '#shared/text';
import { type ServerContribution, serverContributionKinds } from '../contract.ts';
import { contributionKinds, menuReasons } from './messages.ts';

const maxValueLength = 4000;

/** One contribution of a running plugin to the console. */
export interface InspectedContribution {
  readonly kind: LocalizedText;
  readonly what: string;
  readonly pluginId: string;
  /** True when the contribution is inactive because its plugin is disabled. */
  readonly isOff?: boolean;
}

/** Converts contributions to the server. */
export const fromServer = (contributions: readonly ServerContribution[]): InspectedContribution[] =>
  contributions.map(({ kind, ...rest }) => ({ kind: serverContributionKinds[kind], ...rest }));

/** Lists everything running plugins have contributed to the console, by kind. */
export function contributionsOf({
  states,
  definitions,
  slots,
  listeners,
}: Pick<Diagnostics, 'states' | 'definitions' | 'slots' | 'listeners'>): InspectedContribution[] {
  const running = new Set(states.filter(({ status }) => status === 'running').map(({ id }) => id));
  const own = definitions
    .filter(({ id }) => running.has(id))
    .flatMap(({ id, pages = [], overrides = [] }) => [
      ...pages.map(({ menu }) => ({ kind: contributionKinds.page, what: `${menu.code} · ${menu.path}`, pluginId: id })),
      ...overrides.map(({ menu }) => ({ kind: contributionKinds.override, what: `${menu.code} · ${menu.path}`, pluginId: id })),
    ]);
  const inSlots = [...slots].flatMap(([slot, parts]) =>
    parts.map(({ key, pluginId }) => ({ kind: contributionKinds.slot, what: `${slot} · ${key}`, pluginId })),
  );
  const screens = loadedAdditions(slots).flatMap(({ slot, pluginId, addition }) => screenContributions(slot, pluginId, addition));
  const listening = [...listeners].flatMap(([event, owners]) =>
    [...new Set(owners)].flatMap((pluginId) => {
      const times = owners.filter((owner) => owner === pluginId).length;
      return pluginId === undefined ? [] : { kind: contributionKinds.event, what: times > 1 ? `${event} × ${times}` : event, pluginId };
    }),
  );
  return [...own, ...inSlots, ...screens, ...listening];
}

/** Lists the fields, columns, rules and inputs a plugin adds to or replaces in one generic screen. */
function screenContributions(slot: string, pluginId: string, { fields, columns, overrides, inputs }: ScreenAddition): InspectedContribution[] {
  const ofKind = (kind: LocalizedText, names: readonly string[]) => names.map((name) => ({ kind, what: `${slot} · ${name}`, pluginId }));
  return [
    ...ofKind(contributionKinds.field, Object.keys(fields ? addedFields(fields) : {})),
    ...ofKind(contributionKinds.rule, Object.keys(fields?.tightened ?? {})),
    ...ofKind(contributionKinds.input, Object.keys(inputs ?? {})),
    ...ofKind(contributionKinds.column, Object.keys(columns ?? {})),
    ...ofKind(contributionKinds.columnOverride, Object.keys(overrides ?? {})),
  ];
}

/** Explains why a menu entry is shown or hidden. */
export interface MenuExplanation {
  readonly code: string;
  readonly title: LocalizedText;
  readonly pluginId: string;
  readonly isShown: boolean;
  readonly reason: LocalizedText;
  /** Address to explain further if permissions decide. */
  readonly about?: string;
}

/** Addresses that exist in every console and need no menu entry; a plugin may provide their pages. */
const fixedPaths: ReadonlySet<string> = new Set(['/wel', '/wel/dashboard']);

/** Explains every page of the deployment and every menu entry; hidden ones come first. */
export function explainMenu({ states, definitions, menu }: Pick<Diagnostics, 'states' | 'definitions' | 'menu'>): MenuExplanation[] {
  const items = 'items' in menu ? flatten(menu.items) : undefined;
  const matched = new Set<MenuItem>();
  const pages = definitions.flatMap(({ id, pages: own = [] }) => {
    const state = states.find((each) => each.id === id);
    return own.map(({ menu: { code, title, path }, route }): MenuExplanation => {
      const item = items?.find((each) => each.code === code) ?? items?.find((each) => normalizePath(each.path) === path);
      if (item) matched.add(item);
      const base = { code, title, pluginId: id };
      if (state?.status !== 'running') return { ...base, isShown: false, reason: menuReasons.notRunning(state?.cause?.text ?? menuReasons.unknown) };
      if (route || fixedPaths.has(path)) return { ...base, isShown: true, reason: menuReasons.fixed };
      if (!items) return { ...base, isShown: false, reason: menu.status === 'failed' ? menuReasons.menuFailed(menu.message) : menuReasons.menuLoading };
      if (!item) return { ...base, isShown: false, reason: menuReasons.notGranted, about: `${path}/index` };
      return { ...base, isShown: true, reason: item.code === code ? menuReasons.shown : menuReasons.byPath(item.code) };
    });
  });
  const unreadable = states.filter(({ id, status }) => status === 'quarantined' && !definitions.some((each) => each.id === id));
  const unreadablePlugins = unreadable.map(
    ({ id, title, cause }): MenuExplanation => ({
      code: '',
      title,
      pluginId: id,
      isShown: false,
      reason: menuReasons.unreadable(cause?.text ?? menuReasons.unknown),
    }),
  );
  const withoutPlugin = (items ?? [])
    .filter((item) => !item.children?.length && item.path && !matched.has(item) && !/^https?:/.test(item.path))
    .map(({ code, name }): MenuExplanation => ({ code, title: [name, name], pluginId: '', isShown: false, reason: menuReasons.noPlugin }));
  return [...unreadablePlugins, ...withoutPlugin, ...pages].sort((one, other) => Number(one.isShown) - Number(other.isShown));
}

const normalizePath = (path: string): string => path.replace(/\?.*$/, '').replace(/\/index\/?$|\/$/, '');
const flatten = (items: readonly MenuItem[]): MenuItem[] => items.flatMap((item) => [item, ...flatten(item.children ?? [])]);

/** Summarizes everything as text for a support request; payloads and states are left out, because they may be personal. */
export function textOf(diagnostics: Diagnostics, t: (text: LocalizedText) => string): string {
  const plugins = diagnostics.states.map(({ id, status, cause, timings, faults }) => {
    const times = Object.entries(timings).map(([phase, time]) => `${phase} ${time.toFixed(1)} ms`);
    return [id, status, ...times, `${faults} faults`, ...(cause ? [t(cause.text)] : [])].join(' · ');
  });
  const contributions = contributionsOf(diagnostics).map(({ kind, what, pluginId }) => `${pluginId} · ${t(kind)} · ${what}`);
  const menus = explainMenu(diagnostics).map(({ code, pluginId, reason }) => `${code} · ${pluginId} · ${t(reason)}`);
  const services = diagnostics
    .containers()
    .flatMap(({ owner, services: own }) =>
      own.map(({ name, dependencies }) => `${owner} · ${name}${dependencies.length > 0 ? ` ← ${dependencies.join(', ')}` : ''}`),
    );
  return [
    ['plugins', plugins],
    ['contributions', contributions],
    ['menus', menus],
    ['services', services],
  ]
    .map(([title, rows]) => `# ${title}\n${(rows as string[]).join('\n')}`)
    .join('\n\n');
}

/** Formats a value as JSON for display, with secrets masked and a limited length. */
export function formatValue(value: unknown): string {
  const seen = new WeakSet<object>();
  const serializable = (key: string, part: unknown): unknown => {
    if (/token|secret|password/i.test(key)) return '***';
    if (typeof part === 'function') return '[function]';
    if (part instanceof Map || part instanceof Set) return [...part];
    if (typeof part !== 'object' || part === null) return part;
    if (seen.has(part)) return '[circular]';
    seen.add(part);
    return part;
  };
  try {
    const text = JSON.stringify(value, serializable, 2) ?? String(value);
    return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
  } catch (error) {
    return String(error);
  }
}
