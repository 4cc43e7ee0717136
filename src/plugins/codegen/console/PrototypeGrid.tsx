import { Button } from '@arco-design/web-react';
import { useEffect, useRef, useState } from 'react';
import { Can, Http, Toasts, useService, useTranslation, useUnsavedChanges } from '#kernel';
import { type ModelRow, model, type PrototypeDraft, type PrototypeForm, prototype } from '../contract.ts';
import styles from './codegen.module.css';
import { modelMessages } from './messages.ts';
import { PrototypeRow, shownFields, titleOf } from './PrototypeRow.tsx';

/** Inline editor of a model's fields, which are saved together. */
export function PrototypeGrid({ of }: { readonly of: ModelRow }) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [drafts, setDrafts] = useState<readonly PrototypeDraft[]>();
  const [isDirty, setIsDirty] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [said, setSaid] = useState('');
  const dragged = useRef<string>(undefined);
  useUnsavedChanges(isDirty);
  useEffect(() => {
    void http.send(model.prototypes, { modelId: of.id }).then(({ success, data }) => success && setDrafts(data));
  }, [http, of.id]);
  if (!drafts) return <div className={styles.grid} aria-busy="true" />;

  // Rows that have not rendered again hold an older function, so the change is applied to the current state.
  const change = (column: string, values: Partial<PrototypeDraft>) => {
    setDrafts((now) => now?.map((one) => (one.jdbcName === column ? { ...one, ...values } : one)));
    setIsDirty(true);
  };
  const move = (column: string, to: number) => {
    setDrafts((now = []) => {
      const row = now.find((one) => one.jdbcName === column);
      if (!row) return now;
      const others = now.filter((one) => one !== row);
      return [...others.slice(0, to), row, ...others.slice(to)];
    });
    setIsDirty(true);
    setSaid(t(modelMessages.moved, { column, place: to + 1, count: drafts.length }));
  };
  const read = async () => {
    setIsBusy(true);
    const { success, data } = await http.send(model.prototypes, { modelId: of.id, current: true }).finally(() => setIsBusy(false));
    if (!success) return;
    const edited = new Map(drafts.map((one) => [one.jdbcName, one]));
    const added = data.filter(({ jdbcName }) => !edited.has(jdbcName)).length;
    toasts.success(t(modelMessages.readDone, { added, gone: drafts.length - (data.length - added) }));
    setDrafts(data.map((one) => ({ ...one, ...pickEdited(edited.get(one.jdbcName)) })));
    setIsDirty(true);
  };
  const save = async () => {
    setIsBusy(true);
    const forms = drafts.map(({ name: _, comment: __, id, ...one }) => (id ? { ...one, id } : one) as PrototypeForm);
    const { success } = await http.send(prototype.submitList, forms).finally(() => setIsBusy(false));
    if (!success) return;
    toasts.success(t(modelMessages.saved));
    setIsDirty(false);
    const { success: isThere, data } = await http.send(model.prototypes, { modelId: of.id });
    if (isThere) setDrafts(data);
  };
  return (
    <div className={styles.grid}>
      <Can code="model_edit">
        <div className={styles.bar}>
          <Button type="primary" loading={isBusy} onClick={() => void save()}>
            {t(modelMessages.save)}
          </Button>
          <Button disabled={isBusy} onClick={() => void read()}>
            {t(modelMessages.read)}
          </Button>
        </div>
      </Can>
      <p className={styles.told} role="status">
        {said}
      </p>
      <div className={styles.scroll}>
        <table aria-label={t(modelMessages.fieldsOf, { name: of.modelName })}>
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
                of={draft}
                place={index}
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
const pickEdited = (draft: PrototypeDraft | undefined): Partial<PrototypeDraft> =>
  draft ? Object.fromEntries(shownFields.map((name) => [name, draft[name]])) : {};
