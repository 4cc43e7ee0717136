import type { Words } from '#shared/text';

/** What the order of plugins depends on. */
export interface Ordered {
  readonly id: string;
  readonly needs?: readonly string[];
  readonly wants?: readonly string[];
}

/** A plugin that does not run, and why, to follow its name. */
export interface Skipped {
  readonly id: string;
  readonly reason: Words;
}

/** Plugins in an order in which what one needs stands before it, and what it wants where it can. One whose needs are missing, or go in a circle, is skipped with a sentence; so is who needs it. Those that are unfit are skipped for the reason they come with. */
export function orderByNeeds<Plugin extends Ordered>(
  plugins: readonly Plugin[],
  unfit: ReadonlyMap<string, Words> = new Map(),
): { ordered: Plugin[]; skipped: Skipped[] } {
  const ordered: Plugin[] = [];
  const done = new Set<string>();
  const unable = plugins.filter(({ id }) => unfit.has(id));
  let waiting = plugins.filter(({ id }) => !unfit.has(id));
  for (let progress = true; progress; ) {
    const ready = waiting.filter(({ needs = [] }) => needs.every((need) => done.has(need)));
    progress = ready.length > 0;
    // One at a time: the list's own order stands wherever needs do not speak against it.
    const next = ready.find(({ wants = [] }) => !wants.some((want) => waiting.some(({ id }) => id === want))) ?? ready[0];
    if (!next) break;
    ordered.push(next);
    done.add(next.id);
    waiting = waiting.filter((plugin) => plugin !== next);
  }
  const reasonOf = (plugin: Plugin) => unfit.get(plugin.id) ?? reasonFor(plugin, plugins, done);
  return { ordered, skipped: [...unable, ...waiting].map((plugin) => ({ id: plugin.id, reason: reasonOf(plugin) })) };
}

function reasonFor({ needs = [] }: Ordered, plugins: readonly Ordered[], done: ReadonlySet<string>): Words {
  const missing = needs.filter((need) => !done.has(need));
  const unknown = missing.filter((need) => !plugins.some(({ id }) => id === need));
  if (unknown.length > 0) return [`缺少所需插件${named(unknown)}，本系统没有安装`, `it needs ${quoted(unknown)}, which this deployment does not have`];
  return [`所需插件${named(missing)}无法运行`, `it needs ${quoted(missing)}, which cannot run itself`];
}

const quoted = (ids: readonly string[]) => ids.map((id) => `"${id}"`).join(' and ');
const named = (ids: readonly string[]) => ids.map((id) => `“${id}”`).join('、');
