import { Button, Checkbox, Input, Select } from '@arco-design/web-react';
import { IconDown, IconUp } from '@arco-design/web-react/icon';
import { memo, useEffect, useRef, useState } from 'react';
import { Can, LoadedPart, Toasts, useDraft, useMutation, useQuery, useService, useTranslation, useUnsavedChanges } from '#kernel';
import { traitsOf } from '#shared/fields';
import type { LocalizedText } from '#shared/text';
import { controls, type ModelRow, model, Prototype, type PrototypeDraft, type PrototypeForm, prototype, queryTypes } from '../contract.ts';
import styles from './codegen.module.css';
import { modelMessages } from './messages.ts';

const texts = ['jdbcComment', 'englishName', 'propertyName'] as const;
const flags = ['isList', 'isForm', 'isRow', 'isRequired', 'isQuery'] as const;

/** Editable fields of a prototype in the order of the columns. */
const shownFields = [...texts, 'componentType', 'dictCode', ...flags, 'queryType'] as const;

/** Returns the title of a prototype's field. */
const titleOf = (name: (typeof shownFields)[number]): LocalizedText => traitsOf(Prototype.fields[name])?.title ?? [name, name];

interface PrototypeRowProps {
  readonly draft: PrototypeDraft;
  readonly index: number;
  readonly count: number;
  readonly onChange: (values: Partial<PrototypeDraft>) => void;
  /** Called with the new position of the row. */
  readonly onMove: (to: number) => void;
  readonly onDrag: () => void;
  readonly onDrop: () => void;
}

/** Row of one column of the table with the settings of its field. */
const PrototypeRow = memo(
  function PrototypeRow({ draft, index, count, onChange, onMove, onDrag, onDrop }: PrototypeRowProps) {
    const t = useTranslation();
    const label = (name: (typeof shownFields)[number]) => t(modelMessages.fieldLabel, { column: draft.jdbcName, field: t(titleOf(name)) });
    const length = draft.jdbcLength ? `(${draft.jdbcLength}${draft.jdbcScale ? `,${draft.jdbcScale}` : ''})` : '';
    return (
      <tr onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
        <td className={styles.moves} draggable onDragStart={onDrag}>
          <Button
            size="small"
            icon={<IconUp />}
            aria-label={t(modelMessages.up, { column: draft.jdbcName })}
            disabled={index === 0}
            onClick={() => onMove(index - 1)}
          />
          <Button
            size="small"
            icon={<IconDown />}
            aria-label={t(modelMessages.down, { column: draft.jdbcName })}
            disabled={index === count - 1}
            onClick={() => onMove(index + 1)}
          />
        </td>
        <th scope="row">
          {draft.jdbcName}
          <span className={styles.hint}>
            {draft.jdbcType}
            {length}
            {draft.referenceTable ? ` → ${draft.referenceTable}` : ''}
          </span>
        </th>
        {texts.map((name) => (
          <td key={name}>
            <Input
              aria-label={label(name)}
              value={draft[name]}
              maxLength={name === 'propertyName' ? 50 : 64}
              onChange={(value) => onChange({ [name]: value })}
            />
          </td>
        ))}
        <td>
          <Select
            aria-label={label('componentType')}
            value={draft.componentType}
            options={controls.map(([value, label]) => ({ value, label: t(label) }))}
            onChange={(componentType: PrototypeDraft['componentType']) => onChange({ componentType })}
          />
        </td>
        <td>
          <Input aria-label={label('dictCode')} value={draft.dictCode ?? ''} maxLength={64} onChange={(dictCode) => onChange({ dictCode: dictCode || null })} />
        </td>
        {flags.map((name) => (
          <td key={name} className={styles.flag}>
            <Checkbox aria-label={label(name)} checked={draft[name] === 1} onChange={(on) => onChange({ [name]: on ? 1 : 0 })} />
          </td>
        ))}
        <td>
          <Select
            aria-label={label('queryType')}
            allowClear
            disabled={draft.isQuery !== 1}
            value={draft.queryType ?? ''}
            options={queryTypes.map(([value, label]) => ({ value, label: t(label) }))}
            onChange={(queryType?: PrototypeDraft['queryType']) => onChange({ queryType: queryType || null })}
          />
        </td>
      </tr>
    );
  },
  (before, after) => before.draft === after.draft && before.index === after.index && before.count === after.count,
);

/** Inline editor of a model's fields, which are saved together. */
export function PrototypeGrid({ row }: { readonly row: ModelRow }) {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const query = useQuery(model.prototypes, { modelId: row.id }, { refetchOnMount: false });
  const { data } = query;
  const [edited, setEdited] = useState<{ readonly from: typeof data; readonly drafts: readonly PrototypeDraft[] }>();
  const draft = useDraft<{ readonly fields: readonly PrototypeDraft[] }>(`${prototype.submitList.path}:${row.id}`);
  const [restored, setRestored] = useState(draft.found?.fields);
  const [isDirty, setIsDirty] = useState(restored !== undefined);
  const [announcement, setAnnouncement] = useState('');
  const dragged = useRef<string>(undefined);
  useUnsavedChanges(isDirty);
  const stored = data && (restored ?? data);
  const drafts = edited && edited.from === data ? edited.drafts : stored;
  const setDrafts = (next: (current: readonly PrototypeDraft[]) => readonly PrototypeDraft[]) => {
    setEdited((current) => ({ from: data, drafts: next(current && current.from === data ? current.drafts : (stored ?? [])) }));
    setIsDirty(true);
  };
  useEffect(() => {
    if (isDirty && edited) draft.store({ fields: edited.drafts });
  }, [draft, isDirty, edited]);
  const reload = useMutation(model.prototypes, {
    onSuccess: (found) => {
      const draftsByColumn = new Map(drafts?.map((one) => [one.jdbcName, one]));
      const added = found.filter(({ jdbcName }) => !draftsByColumn.has(jdbcName)).length;
      toasts.success(t(modelMessages.reloaded, { added, removed: draftsByColumn.size - (found.length - added) }));
      setDrafts(() => found.map((one) => ({ ...one, ...editedValues(draftsByColumn.get(one.jdbcName)) })));
    },
  });
  const save = useMutation(prototype.submitList, {
    onSuccess: () => {
      toasts.success(t(modelMessages.saved));
      draft.discard();
      setRestored(undefined);
      setIsDirty(false);
      query.refetch();
    },
  });
  // The answer replaces the fields, so nothing can be entered until it has arrived.
  const isBusy = reload.isPending || save.isPending || query.isFetching;
  if (!drafts) return <LoadedPart query={query}>{() => null}</LoadedPart>;

  // Rows that have not rendered again hold an older function, so the change is applied to the current state.
  const change = (column: string, values: Partial<PrototypeDraft>) => {
    setDrafts((current) => current.map((one) => (one.jdbcName === column ? { ...one, ...values } : one)));
  };
  const move = (column: string, to: number) => {
    setDrafts((current) => {
      const row = current.find((one) => one.jdbcName === column);
      if (!row) return current;
      const others = current.filter((one) => one !== row);
      return [...others.slice(0, to), row, ...others.slice(to)];
    });
    setAnnouncement(t(modelMessages.moved, { column, position: to + 1, count: drafts.length }));
  };
  const forms = () => drafts.map(({ name: _, comment: __, id, ...one }) => (id ? { ...one, id } : one) as PrototypeForm);
  return (
    <div className={styles.grid}>
      <Can code="model_edit">
        <div className={styles.bar}>
          <Button type="primary" loading={isBusy} onClick={() => void save.mutate(forms())}>
            {t(modelMessages.save)}
          </Button>
          <Button disabled={isBusy} onClick={() => void reload.mutate({ modelId: row.id, current: true })}>
            {t(modelMessages.reload)}
          </Button>
        </div>
      </Can>
      <p className={styles.announcement} role="status">
        {announcement}
      </p>
      <div className={styles.scroll} inert={isBusy}>
        <table aria-label={t(modelMessages.fieldsOf, { name: row.modelName })}>
          <thead>
            <tr>
              <th scope="col">{t(modelMessages.order)}</th>
              <th scope="col">{t(modelMessages.column)}</th>
              {shownFields.map((name) => (
                <th key={name} scope="col">
                  {t(titleOf(name))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {drafts.map((draft, index) => (
              <PrototypeRow
                key={draft.jdbcName}
                draft={draft}
                index={index}
                count={drafts.length}
                onChange={(values) => change(draft.jdbcName, values)}
                onMove={(to) => move(draft.jdbcName, to)}
                onDrag={() => {
                  dragged.current = draft.jdbcName;
                }}
                onDrop={() => {
                  if (dragged.current !== undefined) move(dragged.current, index);
                  dragged.current = undefined;
                }}
              />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** Keeps unsaved input when the table is read again. */
const editedValues = (draft: PrototypeDraft | undefined): Partial<PrototypeDraft> =>
  draft ? Object.fromEntries(shownFields.map((name) => [name, draft[name]])) : {};
