import { kernelVersion } from './kernel-version.ts';
import { rangesOf, type Versioned } from './plugin-fit.ts';
import type { Words } from './text.ts';

/** The part of the library `semver` that fitting takes. */
export interface Ranges {
  satisfies(version: string, range: string, options?: { includePrerelease?: boolean }): boolean;
  valid(version: string): string | null;
  validRange(range: string): string | null;
}

/** Plugins that do not fit the kernel or each other, each with both versions and the remedy, to follow its name. A need that is not there is no matter of versions. */
export function unfitPlugins(plugins: readonly Versioned[], ranges: Ranges, kernel: string = kernelVersion): ReadonlyMap<string, Words> {
  const known = new Map(plugins.map((plugin) => [plugin.id, plugin]));
  const unfit = new Map<string, Words>();
  for (const plugin of plugins) {
    const problem = malformed(plugin, ranges) ?? unfitToKernel(plugin, ranges, kernel) ?? unfitToNeeds(plugin, known, ranges, kernel);
    if (problem) unfit.set(plugin.id, problem);
  }
  return unfit;
}

function malformed({ version, engine, needs }: Versioned, { valid, validRange }: Ranges): Words | undefined {
  if (version !== undefined && valid(version) === null) return [`版本号“${version}”无效，应如 1.2.3`, `its version "${version}" is none; write one like 1.2.3`];
  const wrong = [engine, ...rangesOf(needs).map(([, range]) => range)].find((range) => range !== undefined && validRange(range) === null);
  return wrong === undefined ? undefined : [`版本范围“${wrong}”无效，应如 ^1.2`, `"${wrong}" is no range of versions; write one like ^1.2`];
}

function unfitToKernel({ version = kernelVersion, engine }: Versioned, { satisfies }: Ranges, kernel: string): Words | undefined {
  if (engine === undefined || satisfies(kernel, engine, { includePrerelease: true })) return undefined;
  return [
    `版本 ${version} 需要内核 ${engine}，当前内核为 ${kernel}；请将 Marquee 换为 ${engine}，或安装适配 ${kernel} 的插件版本`,
    `its version ${version} is made for the kernel ${engine}, and this is ${kernel}; run Marquee ${engine}, or install a version of it that is made for ${kernel}`,
  ];
}

function unfitToNeeds({ version, needs }: Versioned, known: ReadonlyMap<string, Versioned>, { satisfies, valid }: Ranges, kernel: string): Words | undefined {
  const own = version ?? kernel;
  for (const [id, range] of rangesOf(needs)) {
    const needed = known.get(id);
    const there = needed?.version ?? kernel;
    if (!needed || (valid(there) !== null && satisfies(there, range, { includePrerelease: true }))) continue;
    return [
      `版本 ${own} 需要插件“${id}”${range}，已安装的是 ${there}；请将“${id}”换为 ${range}，或安装适配 ${there} 的插件版本`,
      `its version ${own} needs "${id}" ${range}, and ${there} is installed; install "${id}" ${range}, or a version of it that works with ${there}`,
    ];
  }
  return undefined;
}
