import { Button, Radio } from '@arco-design/web-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { FieldValue } from '../cells/FieldList.tsx';
import type { CrudPageProps, Row } from '../model/crud-screen.ts';
import { formatValue, removedSecret } from '../model/entity-fields.ts';
import type { FormatField, ParentTrees } from '../model/parent-trees.ts';
import type { FieldChange } from './field-changes.ts';
import type { FormConflict } from './form-store.ts';
import { ScreenDialog } from './ScreenDialog.tsx';
import { useSavedText } from './saved-text.ts';
import './merge.css';
import { diff3Merge } from 'node-diff3';
import { isEmpty } from '#shared/text';

interface MergeDialogProps {
  readonly conflict: FormConflict;
  readonly trees: ParentTrees;
  readonly parents: NonNullable<CrudPageProps['parents']>;
  readonly container: () => Element;
  readonly onMerge: (chosen: Readonly<Record<string, unknown>>) => void;
  readonly onClose: () => void;
}

/** Shows the fields that two people have changed with the values of both, and continues with the values that are chosen. */
export default function MergeDialog({ conflict, trees, parents, container, onMerge, onClose }: MergeDialogProps) {
  const t = useTranslation();
  const savedText = useSavedText();
  const { changes, changedBy, isSaving } = conflict;
  const [choices, setChoices] = useState(() => safeChoices(changes));
  const format = useParentFormat(changes, trees, parents);
  const chosen = chosenValues(changes, choices);
  const undecidedCount = changes.filter(({ field }) => choices[field.name] === undefined).length;
  const isDisjoint = changes.every(({ isChangedByMe, isChangedByThem }) => isChangedByMe !== isChangedByThem);
  const footer = (
    <div className="crud-merge__footer">
      <span className="crud-merge__left" role="status">
        {undecidedCount > 0 ? t('editing.unresolved', { count: undecidedCount }) : ''}
      </span>
      <Button onClick={onClose}>{t('crud.cancel')}</Button>
      <Button type="primary" disabled={chosen === undefined} onClick={() => chosen && onMerge(chosen)}>
        {t(isSaving ? 'editing.saveMerged' : 'editing.apply')}
      </Button>
    </div>
  );
  return (
    <ScreenDialog title={t('editing.mergeTitle')} width={720} container={container} maskClosable={false} footer={footer} onClose={onClose}>
      <p className="crud-merge__intro">
        {savedText(conflict)}
        <br />
        {t(isDisjoint ? 'editing.disjoint' : 'editing.choose')}
      </p>
      {changes.map((change) => (
        <ChangeChoice
          key={change.field.name}
          change={change}
          author={changedBy}
          current={conflict.current}
          format={format}
          choice={choices[change.field.name]}
          onSelect={(choice) => setChoices({ ...choices, [change.field.name]: choice })}
        />
      ))}
    </ScreenDialog>
  );
}

interface ChangeChoiceProps {
  readonly change: FieldChange;
  readonly author: string | null;
  /** The record as it is now, with the names that belong to its references. */
  readonly current: Row;
  readonly format: FormatField;
  readonly choice: MergeChoice | undefined;
  readonly onSelect: (choice: MergeChoice) => void;
}

function ChangeChoice({ change, author, current, format, choice, onSelect }: ChangeChoiceProps) {
  const t = useTranslation();
  const id = useId();
  const { field, base, mine, theirs, isChangedByMe, isChangedByThem } = change;
  const merged = mergedText(change);
  const theirLabel = author === null ? t('editing.theirsUnnamed') : t('editing.theirs', { name: author });
  const show = (value: unknown, row?: Row): ReactNode =>
    field.traits.widget === 'secret' ? (
      t(value === removedSecret ? 'editing.secretRemoved' : 'editing.secret')
    ) : (
      <FieldValue field={field} row={{ ...row, id: current.id, [field.name]: value }} format={format} />
    );
  return (
    <section className="crud-merge__field" aria-labelledby={id}>
      <h3 id={id}>{t(field.traits.title)}</h3>
      <Radio.Group direction="vertical" value={choice} onChange={onSelect} aria-labelledby={id}>
        <Radio value="mine">
          <Side label={isChangedByMe ? t('editing.mine') : t('editing.base')}>{show(mine)}</Side>
        </Radio>
        <Radio value="theirs">
          <Side label={isChangedByThem ? theirLabel : t('editing.base')}>{show(theirs, current)}</Side>
        </Radio>
        {merged !== undefined && (
          <Radio value="both">
            <Side label={t('editing.both')}>{show(merged)}</Side>
          </Radio>
        )}
      </Radio.Group>
      {isChangedByMe && isChangedByThem && (
        <div className="crud-merge__base">
          <Side label={t('editing.base')}>{show(base)}</Side>
        </div>
      )}
    </section>
  );
}

const Side = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <span className="crud-merge__side">
    <span className="crud-merge__label">{label}</span>
    <span className="crud-merge__value">{children}</span>
  </span>
);

/** Formats parents by their loaded titles, because the values of both sides differ from the name in the row. */
function useParentFormat(changes: readonly FieldChange[], trees: ParentTrees, parents: MergeDialogProps['parents']): FormatField {
  const t = useTranslation();
  const loaded = useStore(trees, (state) => state);
  useEffect(() => {
    for (const { field } of changes) if (parents[field.name]) trees.load(field.name, parents[field.name] as NonNullable<(typeof parents)[string]>);
  }, [changes, trees, parents]);
  return (field, row) => {
    const value = row[field.name];
    if (field.traits.widget !== 'parent') return formatValue(field, value, t);
    return loaded[field.name]?.titles[String(value)] ?? (value === '0' ? t('crud.root') : '');
  };
}

/** Side of a change that the user keeps; `both` merges the lines of a text. */
export type MergeChoice = 'mine' | 'theirs' | 'both';

/** Choices by field name; fields without an entry are undecided. */
type MergeChoices = Readonly<Record<string, MergeChoice>>;

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
