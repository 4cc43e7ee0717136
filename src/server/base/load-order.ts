import type { Words } from '#shared/text';

/** Fields of a plugin that determine its start order. */
export interface LoadOrderEntry {
  readonly id: string;
  readonly needs?: readonly string[];
  readonly wants?: readonly string[];
}

/** A plugin that does not run, with a reason that completes a sentence starting with its name. */
export interface SkippedPlugin {
  readonly id: string;
  readonly reason: Words;
}

/**
 * Sorts plugins so that dependencies come first, and optional dependencies too if possible. A plugin with missing or cyclic dependencies is skipped with a reason, as
 * are its dependents. Plugins in `unfit` are skipped for the reason stored there.
 */
export function resolveLoadOrder<Plugin extends LoadOrderEntry>(
  plugins: readonly Plugin[],
  unfit: ReadonlyMap<string, Words> = new Map(),
): { ordered: Plugin[]; skipped: SkippedPlugin[] } {
  const ordered: Plugin[] = [];
  const done = new Set<string>();
  const unable = plugins.filter(({ id }) => unfit.has(id));
  let waiting = plugins.filter(({ id }) => !unfit.has(id));
  for (let progress = true; progress; ) {
    const ready = waiting.filter(({ needs = [] }) => needs.every((need) => done.has(need)));
    progress = ready.length > 0;
    // One plugin at a time, so that the order of the list holds unless dependencies require another.
    const next = ready.find(({ wants = [] }) => !wants.some((want) => waiting.some(({ id }) => id === want))) ?? ready[0];
    if (!next) break;
    ordered.push(next);
    done.add(next.id);
    waiting = waiting.filter((plugin) => plugin !== next);
  }
  const reasonOf = (plugin: Plugin) => unfit.get(plugin.id) ?? reasonFor(plugin, plugins, done);
  return { ordered, skipped: [...unable, ...waiting].map((plugin) => ({ id: plugin.id, reason: reasonOf(plugin) })) };
}

function reasonFor({ needs = [] }: LoadOrderEntry, plugins: readonly LoadOrderEntry[], done: ReadonlySet<string>): Words {
  const missing = needs.filter((need) => !done.has(need));
  const unknown = missing.filter((need) => !plugins.some(({ id }) => id === need));
  if (unknown.length > 0) return [`缺少所需插件${named(unknown)}，系统未安装`, `it requires ${quoted(unknown)}, which is not installed`];
  return [`所需插件${named(missing)}无法运行`, `it requires ${quoted(missing)}, which cannot run`];
}

const quoted = (ids: readonly string[]) => ids.map((id) => `“${id}”`).join(' and ');
const named = (ids: readonly string[]) => ids.map((id) => `「${id}」`).join('、');
