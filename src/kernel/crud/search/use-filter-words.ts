import { isEmpty } from '#shared/text';
import { useDictionary } from '../../dictionaries/use-dictionary.ts';
import { useText, useWords } from '../../i18n/use-words.ts';
import type { CrudStore } from '../crud-store.ts';
import type { ScreenField } from '../entity-fields.ts';
import { type FilterCondition, isLone, type ListQuery } from '../list-query.ts';
import { useReferenceWords } from '../references/use-reference-words.ts';
import type { Reading } from '../use-parents.ts';

/** One part of what a list is narrowed to. */
export interface ActiveFilter {
  readonly key: string;
  readonly field: ScreenField;
  readonly value: unknown;
  /** How it is compared, where the operator has put the condition together. */
  readonly condition?: FilterCondition;
}

/** What a query narrows a list to, in the order of the search area and then of the conditions. */
export function activeFilters({ filters, conditions = [] }: ListQuery, fields: readonly ScreenField[]): ActiveFilter[] {
  const fieldOf = (name: string) => fields.find((field) => field.name === name);
  const entered = Object.entries(filters).flatMap(([name, value]) => {
    const field = fieldOf(name);
    return field && !isEmpty(value) ? [{ key: name, field, value }] : [];
  });
  const built = conditions.flatMap((condition) => {
    const field = fieldOf(condition.field);
    const key = `${condition.field}_${condition.operator}`;
    return field ? [{ key, field, value: isLone(condition.operator) ? '' : condition.value, condition }] : [];
  });
  return [...entered, ...built];
}

/** A filter in words: rows and entries by what they are called. */
export function useFilterWords({ field, value, condition }: ActiveFilter, read: Reading): string {
  const text = useText();
  const say = useWords();
  const { title, dictionary, reference } = field.traits;
  const entries = useDictionary(dictionary);
  const called = useReferenceWords(reference, reference && !isEmpty(value) ? [String(value)] : []);
  const shown = () => {
    if (Array.isArray(value) && field.traits.compare === 'between')
      return boundsWords(value.map((bound) => (isEmpty(bound) ? '' : read(field, { id: '', [field.name]: bound }))));
    if (Array.isArray(value)) return value.filter(Boolean).join(' – ');
    if (reference && !isEmpty(value)) return called(String(value)).words;
    return entries.find(({ key }) => key === String(value))?.title ?? read(field, { id: '', [field.name]: value });
  };
  const operator = condition && text(`table.operators.${condition.operator}`);
  return [say(title), operator, shown()].filter(Boolean).join(operator ? ' ' : ': ');
}

/** `2 – 5`, and where one end is open `≥ 2` or `≤ 5`. */
function boundsWords([least = '', most = '']: readonly string[]): string {
  if (least && most) return `${least} – ${most}`;
  return least ? `≥ ${least}` : `≤ ${most}`;
}

/** Takes one part away again. */
export function withoutFilter(store: CrudStore, { field, condition }: ActiveFilter): void {
  const { filters, conditions = [] } = store.state.query;
  if (condition) store.refine(conditions.filter((one) => one !== condition));
  else store.search({ ...filters, [field.name]: undefined });
}
