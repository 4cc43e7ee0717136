import type { LocalizedText } from '../text/text.ts';
import { kernelVersion } from './kernel-version.ts';
import { type PluginVersionInfo, rangesOf } from './plugin-versions.ts';

/** Functions of the library `semver` that the compatibility check uses. */
export interface Ranges {
  satisfies(version: string, range: string, options?: { includePrerelease?: boolean }): boolean;
  valid(version: string): string | null;
  validRange(range: string): string | null;
}

/**
 * Returns the plugins that are incompatible with the kernel or with each other, each with a text that follows its name: both versions and the remedy. A missing
 * dependency is not reported here.
 */
export function incompatiblePlugins(plugins: readonly PluginVersionInfo[], ranges: Ranges, kernel: string = kernelVersion): ReadonlyMap<string, LocalizedText> {
  const byId = new Map(plugins.map((plugin) => [plugin.id, plugin]));
  const incompatible = new Map<string, LocalizedText>();
  for (const plugin of plugins) {
    const problem = malformed(plugin, ranges) ?? incompatibleWithKernel(plugin, ranges, kernel) ?? incompatibleWithDependencies(plugin, byId, ranges, kernel);
    if (problem) incompatible.set(plugin.id, problem);
  }
  return incompatible;
}

function malformed({ version, engine, dependencies }: PluginVersionInfo, { valid, validRange }: Ranges): LocalizedText | undefined {
  if (version !== undefined && valid(version) === null)
    return [`版本号「${version}」无效，应如 1.2.3`, `“${version}” is not a valid version; use one like 1.2.3`];
  const malformedRange = [engine, ...rangesOf(dependencies).map(([, range]) => range)].find((range) => range !== undefined && validRange(range) === null);
  return malformedRange === undefined
    ? undefined
    : [`版本范围「${malformedRange}」无效，应如 ^1.2`, `“${malformedRange}” is not a valid version range; use one like ^1.2`];
}

function incompatibleWithKernel({ version = kernelVersion, engine }: PluginVersionInfo, { satisfies }: Ranges, kernel: string): LocalizedText | undefined {
  if (engine === undefined || satisfies(kernel, engine, { includePrerelease: true })) return undefined;
  return [
    `版本 ${version} 需要内核 ${engine}，当前内核为 ${kernel}；请将 Marquee 换为 ${engine}，或安装适配 ${kernel} 的插件版本`,
    `version ${version} requires kernel ${engine}, but this is ${kernel}; use Marquee ${engine}, or install a plugin version that supports ${kernel}`,
  ];
}

function incompatibleWithDependencies(
  { version, dependencies }: PluginVersionInfo,
  byId: ReadonlyMap<string, PluginVersionInfo>,
  { satisfies, valid }: Ranges,
  kernel: string,
): LocalizedText | undefined {
  const ownVersion = version ?? kernel;
  for (const [id, range] of rangesOf(dependencies)) {
    const dependency = byId.get(id);
    const installedVersion = dependency?.version ?? kernel;
    if (!dependency || (valid(installedVersion) !== null && satisfies(installedVersion, range, { includePrerelease: true }))) continue;
    return [
      `版本 ${ownVersion} 需要插件「${id}」${range}，已安装的是 ${installedVersion}；请将「${id}」换为 ${range}，或安装适配 ${installedVersion} 的插件版本`,
      `version ${ownVersion} requires “${id}” ${range}, but ${installedVersion} is installed; install “${id}” ${range}, or a plugin version that supports ${installedVersion}`,
    ];
  }
  return undefined;
}
