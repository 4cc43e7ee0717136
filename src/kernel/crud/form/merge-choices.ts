import { diff3Merge } from 'node-diff3';
import { isEmpty } from '#shared/text';
import type { FieldChange } from './field-changes.ts';

/** Side of a change that the user keeps; `both` merges the lines of a text. */
export type MergeChoice = 'mine' | 'theirs' | 'both';

/** Choices by field name; fields without an entry are undecided. */
export type MergeChoices = Readonly<Record<string, MergeChoice>>;

/** Returns the choices that discard no change: the side that has changed a field, or both for a text whose changed lines do not overlap. */
export function safeChoices(changes: readonly FieldChange[]): MergeChoices {
  const choices = changes.flatMap((change): [string, MergeChoice][] => {
    const { field, isChangedByMe, isChangedByThem } = change;
    if (isChangedByMe !== isChangedByThem) return [[field.name, isChangedByMe ? 'mine' : 'theirs']];
    return mergedText(change) === undefined ? [] : [[field.name, 'both']];
  });
  return Object.fromEntries(choices);
}

/** Returns the chosen value of each field; undefined while a field has no choice. */
export function chosenValues(changes: readonly FieldChange[], choices: MergeChoices): Readonly<Record<string, unknown>> | undefined {
  if (changes.some(({ field }) => choices[field.name] === undefined)) return undefined;
  const chosenValue = (change: FieldChange) => {
    const choice = choices[change.field.name];
    return choice === 'both' ? mergedText(change) : choice === 'mine' ? change.mine : change.theirs;
  };
  return Object.fromEntries(changes.map((change) => [change.field.name, chosenValue(change)]));
}

/** Merges the lines of a text area that both sides have changed; undefined if they have changed the same lines, or for other fields. */
export function mergedText({ field, base, mine, theirs, isChangedByMe, isChangedByThem }: FieldChange): string | undefined {
  if (field.traits.widget !== 'textarea' || !isChangedByMe || !isChangedByThem) return undefined;
  const lines = (value: unknown) => (isEmpty(value) ? [] : String(value).split('\n'));
  const regions = diff3Merge(lines(mine), lines(base), lines(theirs));
  return regions.some(({ conflict }) => conflict) ? undefined : regions.flatMap(({ ok = [] }) => ok).join('\n');
}
