import semver from 'semver';
import { type LoadOrderProblem, resolveLoadOrder } from '#shared/load-order';
import { incompatiblePlugins } from '#shared/plugin-compatibility';
import type { LocalizedText } from '#shared/text';
import type { ServerPlugin } from './plugin.ts';

/** Reason shown after an administrator has requested a retry. */
export const willBeRetried: LocalizedText = [
  '将在服务器下次启动时重试：接口只能在启动时注册',
  'it will be retried at the next server start, because routes can only be registered at startup',
];
/** Reason of a plugin that is left out because it keeps failing. */
export const crashLooping: LocalizedText = [
  '连续三次未能启动，已暂不启动；可重试',
  'it failed to start three times in a row and is not started; retry to start it',
];

/** A plugin that does not run, with a reason that completes a sentence starting with its name. */
export interface SkippedPlugin {
  readonly id: string;
  readonly reason: LocalizedText;
}

/** Sorts plugins for migration and start, and gives the reason of each that cannot run: the one in `leftOut`, an incompatible version or a dependency. */
export function orderPlugins(
  plugins: readonly ServerPlugin[],
  leftOut: ReadonlyMap<string, LocalizedText> = new Map(),
): { ordered: readonly ServerPlugin[]; skipped: SkippedPlugin[] } {
  const excluded = new Map([...leftOut, ...incompatiblePlugins(plugins, semver)]);
  const { ordered, blocked } = resolveLoadOrder(plugins, excluded);
  return { ordered, skipped: [...excluded, ...[...blocked].map(([id, problem]) => [id, reasonOf(problem)] as const)].map(([id, reason]) => ({ id, reason })) };
}

function reasonOf({ kind, ids }: LoadOrderProblem): LocalizedText {
  if (kind === 'missing') return [`缺少所需插件${named(ids)}，系统未安装`, `it requires ${quoted(ids)}, which is not installed`];
  const needed = kind === 'cycle' ? ids.slice(1, 2) : ids;
  return [`所需插件${named(needed)}无法运行`, `it requires ${quoted(needed)}, which cannot run`];
}

const quoted = (ids: readonly string[]) => ids.map((id) => `“${id}”`).join(' and ');
const named = (ids: readonly string[]) => ids.map((id) => `「${id}」`).join('、');
