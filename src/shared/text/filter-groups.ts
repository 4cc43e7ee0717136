/** Filter of a group by its wire name, such as `price_ge`. */
export interface GroupedFilter {
  readonly name: string;
  readonly value: string | number | boolean;
}

/** Group of filters: rows meet all of its parts, or any of them. */
export interface FilterGroup<Part = GroupedFilter> {
  readonly join: 'and' | 'or';
  readonly of: readonly (Part | FilterGroup<Part>)[];
}

/** Maximum depth of groups within each other, maximum number of filters in all of them, and maximum length of the parameter. */
export const groupLimits = { depth: 5, filters: 50, length: 8000 } as const;

/** Reason why a text is not a valid group of filters. */
export type GroupFailure = 'syntax' | 'depth' | 'filters';

/** Error for a text that is not a valid group of filters. */
export class GroupError extends Error {
  constructor(readonly reason: GroupFailure) {
    super(`filter group: ${reason}`);
  }
}

/** True for a group, false for a single filter. */
export const isGroup = <Part extends object>(part: Part | FilterGroup<Part>): part is FilterGroup<Part> => 'join' in part;

/** Lists the filters of a group at every depth. */
export const filtersIn = <Part extends object>(group: FilterGroup<Part>): Part[] => group.of.flatMap((part) => (isGroup(part) ? filtersIn(part) : [part]));

/** Returns the number of groups within each other, the outermost included. */
export const depthOf = <Part extends object>(group: FilterGroup<Part>): number =>
  1 + Math.max(0, ...group.of.map((part) => (isGroup(part) ? depthOf(part) : 0)));

/** Writes a group as the parameter `where`: `{"or":[{"name_like":"a"},{"and":[…]}]}`. */
export const writeGroup = (group: FilterGroup): string => JSON.stringify(toWire(group));

const toWire = (part: GroupedFilter | FilterGroup): object => (isGroup(part) ? { [part.join]: part.of.map(toWire) } : { [part.name]: part.value });

/** Reads the parameter `where`. An object with several filters means all of them, and empty values are no filters. Throws a `GroupError`. */
export function readGroup(text: string): FilterGroup {
  const remaining = { filters: groupLimits.filters };
  const part = readPart(parseJson(text), 1, remaining);
  return isGroup(part) ? part : { join: 'and', of: [part] };
}

function parseJson(text: string): unknown {
  if (text.length > groupLimits.length) throw new GroupError('filters');
  try {
    return JSON.parse(text);
  } catch {
    throw new GroupError('syntax');
  }
}

function readPart(value: unknown, depth: number, remaining: { filters: number }): GroupedFilter | FilterGroup {
  if (depth > groupLimits.depth + 1) throw new GroupError('depth');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new GroupError('syntax');
  const entries = Object.entries(value);
  const [[name, content] = ['', undefined]] = entries;
  if (entries.length === 1 && (name === 'and' || name === 'or')) {
    if (depth > groupLimits.depth) throw new GroupError('depth');
    if (!Array.isArray(content)) throw new GroupError('syntax');
    return { join: name, of: content.map((part) => readPart(part, depth + 1, remaining)) };
  }
  const filters = entries.filter(([, filter]) => filter !== null && filter !== '').map(readFilter);
  remaining.filters -= filters.length;
  if (remaining.filters < 0) throw new GroupError('filters');
  const [only] = filters;
  return only && filters.length === 1 ? only : { join: 'and', of: filters };
}

function readFilter([name, value]: [string, unknown]): GroupedFilter {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') throw new GroupError('syntax');
  return { name, value };
}
