import { type FilterGroup, filtersIn, isGroup } from '#shared/filter-groups';
import { takesNoValue } from '#shared/list-parameters';
import { isEmpty } from '#shared/text';
import type { ScreenField } from '../model/entity-fields.ts';
import type { ConditionGroup, FilterCondition, ListQuery } from '../model/list-query.ts';
import { hasExcessDecimals } from './filter-decimals.ts';
import { operatorsOf } from './operators.ts';

/** A condition that is being edited; its key is stable while others are added and removed. */
export type DraftCondition = FilterCondition & { readonly key: number };

/** A group that is being edited. */
export interface DraftGroup extends FilterGroup<DraftCondition> {
  readonly key: number;
  readonly of: readonly DraftPart[];
}

export type DraftPart = DraftCondition | DraftGroup;

let lastKey = 0;
const nextKey = () => {
  lastKey += 1;
  return lastKey;
};

/** Starts a condition on a field with its most common comparison. */
export const newCondition = (field: ScreenField): DraftCondition => ({ key: nextKey(), field: field.name, operator: operatorsOf(field)[0] ?? 'equal' });

/** Starts a group with one condition inside `parent`; it joins its conditions the other way. */
export const newGroup = (parent: DraftGroup, field: ScreenField): DraftGroup => ({
  key: nextKey(),
  join: parent.join === 'and' ? 'or' : 'and',
  of: [newCondition(field)],
});

/** Converts the conditions of a query to drafts. */
export function draftsOf({ conditions = [], where }: ListQuery): DraftGroup {
  const flat = conditions.map((condition) => ({ ...condition, key: nextKey() }));
  const group = where && withKeys(where);
  if (!group) return { key: nextKey(), join: 'and', of: flat };
  if (flat.length === 0) return group;
  return { key: nextKey(), join: 'and', of: [...flat, ...(group.join === 'and' ? group.of : [group])] };
}

const withKeys = ({ join, of }: ConditionGroup): DraftGroup => ({
  key: nextKey(),
  join,
  of: of.map((part) => (isGroup(part) ? withKeys(part) : { ...part, key: nextKey() })),
});

const isComplete = (condition: FilterCondition) => takesNoValue(condition.operator) || !isEmpty(condition.value);

/** Removes incomplete conditions and empty groups; a group with a single part is replaced by that part. */
function withoutIncomplete(group: DraftGroup): ConditionGroup {
  const parts = group.of.flatMap((part): (FilterCondition | ConditionGroup)[] => {
    if (!isGroup(part)) {
      const { key: _, ...condition } = part;
      return isComplete(part) ? [condition] : [];
    }
    const inner = withoutIncomplete(part);
    return inner.of.length > 1 && inner.join !== group.join ? [inner] : [...inner.of];
  });
  return { join: parts.length > 1 ? group.join : 'and', of: parts };
}

/** Converts drafts to a query: plain conditions if all of them must hold, otherwise a group. */
export function queryOf(drafts: DraftGroup): Required<Pick<ListQuery, 'conditions'>> & Pick<ListQuery, 'where'> {
  const group = withoutIncomplete(drafts);
  const only = group.of.length === 1 ? group.of[0] : undefined;
  const root = only && isGroup(only) ? only : group;
  const flat = root.of.filter((part): part is FilterCondition => !isGroup(part));
  const isSimple = root.join === 'and' && flat.length === root.of.length;
  // The plain form carries one condition for each field and comparison.
  const isUnique = new Set(flat.map(({ field, operator }) => `${field}_${operator}`)).size === flat.length;
  return isSimple && isUnique ? { conditions: flat, where: undefined } : { conditions: [], where: root };
}

/** True when a number has more decimals than its field. */
export const hasInvalidNumber = (group: DraftGroup, fields: readonly ScreenField[]): boolean =>
  filtersIn<DraftCondition>(group).some(({ field, operator, value }) => {
    const definition = fields.find(({ name }) => name === field);
    return definition !== undefined && !takesNoValue(operator) && hasExcessDecimals(definition, value);
  });

/** Replaces the part with this key, or removes it without a replacement; an emptied group inside another is removed as well. */
export function replacePart(group: DraftGroup, key: number, replacement: DraftPart | undefined): DraftGroup {
  const parts = group.of.flatMap((part): DraftPart[] => {
    if (part.key === key) return replacement ? [replacement] : [];
    if (!isGroup(part)) return [part];
    const inner = replacePart(part as DraftGroup, key, replacement);
    return inner.of.length > 0 ? [inner] : [];
  });
  return { ...group, of: parts };
}
