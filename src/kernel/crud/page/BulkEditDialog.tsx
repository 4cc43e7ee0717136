import { Button, Checkbox } from '@arco-design/web-react';
import { type SubmitEvent, useId, useState } from 'react';
import type { BatchResult, Crud, ReplyOf } from '#shared/contract';
import { boundsHint } from '#shared/rules';
import { isEmpty, type LocalizedText } from '#shared/text';
import { fieldProblem } from '#shared/validation';
import { useService } from '../../base/react/services.tsx';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useMutation } from '../../platform/http/use-mutation.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { FieldControl } from '../form/FieldControl.tsx';
import { fieldRuleProblem } from '../form/form-rules.ts';
import { ScreenDialog } from '../form/ScreenDialog.tsx';
import type { CrudPageProps, InputOverride } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { type FormField, formFields, rowName } from '../model/entity-fields.ts';
import type { ParentTrees } from '../model/parent-trees.ts';

import './bulk.css';
import type { FieldValues } from '#shared/condition';
import { useShortTime } from '../form/saved-text.ts';

interface BulkEditProps extends Pick<CrudPageProps, 'crud' | 'fields' | 'filter' | 'parents'> {
  readonly ids: readonly string[];
  readonly store: CrudStore;
  readonly inputs: Readonly<Record<string, InputOverride>>;
  readonly trees: ParentTrees;
  readonly container: () => Element;
  /** Receives the rows that were left out, if there are any. */
  readonly onDone: (partial: BatchResult | undefined) => void;
  readonly onClose: () => void;
}

/** Sets the ticked fields of all selected rows to the same values. The user decides about each row that others have changed meanwhile, and rows that cannot be changed are reported. */
export default function BulkEditDialog({ crud, ids, store, inputs, trees, filter = {}, parents = {}, container, onDone, onClose, ...screen }: BulkEditProps) {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const fields = formFields(crud.entity, screen.fields, parents).filter(
    ({ name, traits }) => !(name in filter) && traits.widget !== 'secret' && !traits.immutable && !inputs[name]?.hidden && !inputs[name]?.readOnly,
  );
  const [values, setValues] = useState<FieldValues>({});
  const [problems, setProblems] = useState<Readonly<Record<string, LocalizedText | undefined>>>({});
  // The list may reload and the selection change while the dialog is open.
  const [rows] = useState(() => store.state.selected);
  const [stale, setStale] = useState<readonly StaleRow[]>([]);
  const [outcome, setOutcome] = useState<BatchResult>({ done: 0, total: 0, rows: [] });
  const finish = (result: BatchResult) => onDone(result.rows.length > 0 ? result : undefined);
  const { isPending: isSaving, mutate } = useMutation(crud.bulkSubmit as NonNullable<typeof crud.bulkSubmit>, {
    onSuccess: (data, input) => {
      const { count, stale: staleNow = [], rows: refused = [] } = data as ReplyOf<Crud['bulkSubmit']>;
      if (count > 0) toasts.success(t('table.bulkDone', { count }));
      const { ids: sent } = input as { ids: readonly string[] };
      const remaining = [...stale.filter(({ id }) => !sent.includes(id)), ...staleNow.map((row) => ({ ...row, title: titleOf(row.id) }))];
      const next = { done: outcome.done + count, total: ids.length, rows: [...outcome.rows.filter(({ id }) => !sent.includes(id)), ...refused] };
      setOutcome(next);
      setStale(remaining);
      if (remaining.length === 0) finish(next);
    },
  });
  const titleOf = (id: string) => rowName(crud.entity, rows.get(id) ?? { id }, t, screen.fields) ?? id;
  const valuesToSend = () => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isEmpty(value) ? null : value]));
  const skip = (id: string) => {
    const remaining = stale.filter((row) => row.id !== id);
    setStale(remaining);
    if (remaining.length === 0) finish(outcome);
  };

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const included = fields.filter(({ name }) => name in values);
    if (included.length === 0) return toasts.warning(t('table.bulkNone'));
    const rules = { rules: crud.entity.rules, fields: included, values, bounds: {} };
    const found = included.map(({ name, schema, required }) => {
      return [name, fieldProblem(schema, values[name], required) ?? fieldRuleProblem(name, rules)] as const;
    });
    setProblems(Object.fromEntries(found));
    if (found.some(([, problem]) => problem)) return;
    const versions = ids.flatMap((id): [string, unknown][] => (isEmpty(rows.get(id)?.version) ? [] : [[id, rows.get(id)?.version]]));
    void mutate({ ids: [...ids], partial: true, values: valuesToSend(), ...(versions.length > 0 ? { versions: Object.fromEntries(versions) } : {}) });
  };
  const include = (name: string, isIncluded: boolean) => {
    const { [name]: _, ...others } = values;
    setValues(isIncluded ? { ...others, [name]: undefined } : others);
    setProblems({ ...problems, [name]: undefined });
  };

  if (stale.length > 0) {
    return (
      <ScreenDialog title={t('editing.stale', { count: stale.length })} width={640} container={container} maskClosable={false} onClose={() => finish(outcome)}>
        <StaleRows rows={stale} isSaving={isSaving} onOverwrite={(id) => void mutate({ ids: [id], values: valuesToSend() })} onSkip={skip} />
      </ScreenDialog>
    );
  }
  return (
    <ScreenDialog title={t('table.bulkTitle', { count: ids.length })} width={640} container={container} maskClosable={false} onClose={onClose}>
      <form className="crud-bulk" noValidate onSubmit={submit} aria-busy={isSaving}>
        <p>{t('table.bulkHint')}</p>
        {fields.map((field) => (
          <BulkField
            key={field.name}
            field={field}
            isIncluded={field.name in values}
            value={values[field.name]}
            problem={problems[field.name]}
            isLocked={isSaving}
            parents={parents[field.name]}
            trees={trees}
            onInclude={(isIncluded) => include(field.name, isIncluded)}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
        <div className="crud-form__buttons">
          <Button onClick={onClose} disabled={isSaving}>
            {t('crud.cancel')}
          </Button>
          <Button type="primary" htmlType="submit" loading={isSaving}>
            {t('table.apply')}
          </Button>
        </div>
      </form>
    </ScreenDialog>
  );
}

interface BulkFieldProps {
  readonly field: FormField;
  readonly isIncluded: boolean;
  readonly value: unknown;
  readonly problem: LocalizedText | undefined;
  readonly isLocked: boolean;
  readonly parents: NonNullable<CrudPageProps['parents']>[string];
  readonly trees: ParentTrees;
  readonly onInclude: (isIncluded: boolean) => void;
  readonly onChange: (value: unknown) => void;
}

function BulkField({ field, isIncluded, value, problem, isLocked, parents, trees, onInclude, onChange }: BulkFieldProps) {
  const t = useTranslation();
  const id = useId();
  const name = t(field.traits.title);
  const hint = boundsHint(field.schema);
  const described = [...(hint ? [`${id}-bounds`] : []), ...(problem ? [`${id}-problem`] : [])].join(' ');
  return (
    <div className="crud-bulk__field">
      <Checkbox checked={isIncluded} disabled={isLocked} onChange={onInclude}>
        <span className="visually-hidden">{t('table.bulkPick', { name })}</span>
        <span aria-hidden="true">{name}</span>
      </Checkbox>
      {isIncluded && (
        <div className="crud-form__control">
          <label htmlFor={id} id={`${id}-label`} className="visually-hidden">
            {name}
          </label>
          <FieldControl
            field={field}
            id={id}
            value={value}
            disabled={isLocked}
            isInvalid={problem !== undefined}
            describedBy={described || undefined}
            onChange={onChange}
            parents={parents}
            trees={trees}
          />
          {hint && (
            <p id={`${id}-bounds`} className="crud-form__help">
              {t(hint)}
            </p>
          )}
          <p id={`${id}-problem`} className="crud-form__problem" aria-live="polite">
            {problem ? t(problem) : ''}
          </p>
        </div>
      )}
    </div>
  );
}

/** A row that a bulk edit has left out, because another user has changed it since it was listed. */
interface StaleRow {
  readonly id: string;
  readonly title: string;
  readonly changedBy: string | null;
  readonly changedAt: string;
}

interface StaleRowsProps {
  readonly rows: readonly StaleRow[];
  readonly isSaving: boolean;
  readonly onOverwrite: (id: string) => void;
  readonly onSkip: (id: string) => void;
}

/** Lists the rows that a bulk edit has left out, and edits or skips each of them. */
function StaleRows({ rows, isSaving, onOverwrite, onSkip }: StaleRowsProps) {
  const t = useTranslation();
  const shorten = useShortTime();
  return (
    <ul className="crud-bulk__stale">
      {rows.map(({ id, title, changedBy, changedAt }) => (
        <li key={id}>
          <span>
            <strong>{title}</strong>
            <br />
            {t(changedBy === null ? 'editing.staleUnnamed' : 'editing.staleBy', { name: changedBy ?? '', time: shorten(changedAt) })}
          </span>
          <Button disabled={isSaving} onClick={() => onOverwrite(id)}>
            {t('editing.overwrite')}
          </Button>
          <Button disabled={isSaving} onClick={() => onSkip(id)}>
            {t('editing.skip')}
          </Button>
        </li>
      ))}
    </ul>
  );
}
