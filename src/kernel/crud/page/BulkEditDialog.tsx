import { Button, Checkbox } from '@arco-design/web-react';
import { type SubmitEvent, useId, useState } from 'react';
import type { Crud, ReplyOf } from '#shared/contract';
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
import { type StaleRow, StaleRows } from './StaleRows.tsx';
import './bulk.css';

interface BulkEditProps extends Pick<CrudPageProps, 'crud' | 'fields' | 'filter' | 'parents'> {
  readonly ids: readonly string[];
  readonly store: CrudStore;
  readonly inputs: Readonly<Record<string, InputOverride>>;
  readonly trees: ParentTrees;
  readonly container: () => Element;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

type Values = Readonly<Record<string, unknown>>;

/** Sets the ticked fields of all selected rows to the same values; rows that others have changed meanwhile are reported one by one. */
export default function BulkEditDialog({ crud, ids, store, inputs, trees, filter = {}, parents = {}, container, onDone, onClose, ...screen }: BulkEditProps) {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const fields = formFields(crud.entity, screen.fields, parents).filter(
    ({ name, traits }) => !(name in filter) && traits.widget !== 'secret' && !traits.immutable && !inputs[name]?.hidden && !inputs[name]?.readOnly,
  );
  const [values, setValues] = useState<Values>({});
  const [problems, setProblems] = useState<Readonly<Record<string, LocalizedText | undefined>>>({});
  // The list may reload and the selection change while the dialog is open.
  const [rows] = useState(() => store.state.selected);
  const [stale, setStale] = useState<readonly StaleRow[]>([]);
  const { isPending: isSaving, mutate } = useMutation(crud.bulkSubmit as NonNullable<typeof crud.bulkSubmit>, {
    onSuccess: (data, input) => {
      const { count, stale: found = [] } = data as ReplyOf<Crud['bulkSubmit']>;
      if (count > 0) toasts.success(t('table.bulkDone', { count }));
      const { ids: sent } = input as { ids: readonly string[] };
      const left = [...stale.filter(({ id }) => !sent.includes(id)), ...found.map((one) => ({ ...one, title: titleOf(one.id) }))];
      setStale(left);
      if (left.length === 0) onDone();
    },
  });
  const titleOf = (id: string) => rowName(crud.entity, rows.get(id) ?? { id }, screen.fields) ?? id;
  const valuesToSend = () => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isEmpty(value) ? null : value]));
  const skip = (id: string) => {
    const left = stale.filter((one) => one.id !== id);
    setStale(left);
    if (left.length === 0) onDone();
  };

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const picked = fields.filter(({ name }) => name in values);
    if (picked.length === 0) return toasts.warning(t('table.bulkNone'));
    const rules = { rules: crud.entity.rules, fields: picked, values, bounds: {} };
    const found = picked.map(({ name, schema, required }) => {
      return [name, fieldProblem(schema, values[name], required) ?? fieldRuleProblem(name, rules)] as const;
    });
    setProblems(Object.fromEntries(found));
    if (found.some(([, problem]) => problem)) return;
    const versions = ids.flatMap((id): [string, unknown][] => (isEmpty(rows.get(id)?.version) ? [] : [[id, rows.get(id)?.version]]));
    void mutate({ ids: [...ids], values: valuesToSend(), ...(versions.length > 0 ? { versions: Object.fromEntries(versions) } : {}) });
  };
  const pick = (name: string, isPicked: boolean) => {
    const { [name]: _, ...others } = values;
    setValues(isPicked ? { ...others, [name]: undefined } : others);
    setProblems({ ...problems, [name]: undefined });
  };

  if (stale.length > 0) {
    return (
      <ScreenDialog title={t('editing.stale', { count: stale.length })} width={640} container={container} isKept onClose={onDone}>
        <StaleRows rows={stale} isSaving={isSaving} onRepeat={(id) => void mutate({ ids: [id], values: valuesToSend() })} onSkip={skip} />
      </ScreenDialog>
    );
  }
  return (
    <ScreenDialog title={t('table.bulkTitle', { count: ids.length })} width={640} container={container} isKept onClose={onClose}>
      <form className="crud-bulk" noValidate onSubmit={submit} aria-busy={isSaving}>
        <p>{t('table.bulkHint')}</p>
        {fields.map((field) => (
          <BulkField
            key={field.name}
            field={field}
            isPicked={field.name in values}
            value={values[field.name]}
            problem={problems[field.name]}
            isLocked={isSaving}
            parents={parents[field.name]}
            trees={trees}
            onPick={(isPicked) => pick(field.name, isPicked)}
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
  readonly isPicked: boolean;
  readonly value: unknown;
  readonly problem: LocalizedText | undefined;
  readonly isLocked: boolean;
  readonly parents: NonNullable<CrudPageProps['parents']>[string];
  readonly trees: ParentTrees;
  readonly onPick: (isPicked: boolean) => void;
  readonly onChange: (value: unknown) => void;
}

function BulkField({ field, isPicked, value, problem, isLocked, parents, trees, onPick, onChange }: BulkFieldProps) {
  const t = useTranslation();
  const id = useId();
  const name = t(field.traits.title);
  const hint = boundsHint(field.schema);
  const described = [...(hint ? [`${id}-bounds`] : []), ...(problem ? [`${id}-problem`] : [])].join(' ');
  return (
    <div className="crud-bulk__field">
      <Checkbox checked={isPicked} disabled={isLocked} onChange={onPick}>
        <span className="visually-hidden">{t('table.bulkPick', { name })}</span>
        <span aria-hidden="true">{name}</span>
      </Checkbox>
      {isPicked && (
        <div className="crud-form__control">
          <label htmlFor={id} id={`${id}-label`} className="visually-hidden">
            {name}
          </label>
          <FieldControl
            field={field}
            id={id}
            value={value}
            disabled={isLocked}
            isWrong={problem !== undefined}
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
