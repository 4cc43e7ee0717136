import type { Plugin } from './plugin.ts';

/** Describes why a module's default export is not a valid plugin with this id; `undefined` when it is. */
export function definitionProblem(definition: unknown, id: string): string | undefined {
  if (typeof definition !== 'object' || definition === null) return 'its default export is not a plugin';
  const plugin = definition as Partial<Record<keyof Plugin, unknown>>;
  if (plugin.id !== id) return `its id is "${String(plugin.id)}"`;
  if (!isLocalizedText(plugin.title)) return 'title must be two strings, Chinese and English';
  if (plugin.dependencies !== undefined && !isListOf(plugin.dependencies, isNonEmptyString) && !isRanges(plugin.dependencies))
    return 'dependencies must be a list of plugin ids, or ranges of versions by id';
  for (const name of ['version', 'engine'] as const)
    if (plugin[name] !== undefined && !isNonEmptyString(plugin[name])) return `${name} must be a non-empty string`;
  if (plugin.optionalDependencies !== undefined && !isListOf(plugin.optionalDependencies, isNonEmptyString))
    return 'optionalDependencies must be a list of plugin ids';
  if (plugin.core !== undefined && typeof plugin.core !== 'boolean') return 'core must be true or false';
  if (plugin.pages !== undefined && !isListOf(plugin.pages, isPage)) return 'pages must be a list of page(menu, load)';
  if (plugin.contributions !== undefined && !isListOf(plugin.contributions, isContribution))
    return 'contributions must be a list of contribute(slot, contribution)';
  if (plugin.overrides !== undefined && !isListOf(plugin.overrides, isPage)) return 'overrides must be a list of page(menu, load)';
  for (const name of ['provide', 'start'] as const) if (plugin[name] !== undefined && typeof plugin[name] !== 'function') return `${name} must be a function`;
  return undefined;
}

const isNonEmptyString = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isLocalizedText = (value: unknown): boolean => isListOf(value, isNonEmptyString) && value.length === 2;

function isListOf(value: unknown, isItem: (item: unknown) => boolean): value is unknown[] {
  return Array.isArray(value) && value.every(isItem);
}

const isRanges = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isNonEmptyString);

const isContribution = (value: unknown): boolean => isNonEmptyString((value as { slot?: { name?: unknown } } | null)?.slot?.name);

function isPage(value: unknown): boolean {
  const { menu, load } = (value ?? {}) as { menu?: { code?: unknown; path?: unknown }; load?: unknown };
  return typeof load === 'function' && isNonEmptyString(menu?.code) && isNonEmptyString(menu?.path);
}
