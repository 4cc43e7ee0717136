import { Button, Radio } from '@arco-design/web-react';
import { Suspense, useEffect, useState } from 'react';
import { codes } from '#shared/contract';
import { useQuery } from '../../platform/http/use-query.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useGrants } from '../../platform/permission/use-can.tsx';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import FieldList from '../cells/FieldList.tsx';
import { historyMessages } from '../history/history-messages.ts';
import type { CrudPageProps, Row } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { viewFields } from '../model/entity-fields.ts';
import type { FormatField, ParentTrees } from '../model/parent-trees.ts';
import { FormFrame, useRecordTitle } from './FormFrame.tsx';
import { type FindRow, RecordPager } from './RecordPager.tsx';

const RecordHistory = lazyComponent(() => import('../history/RecordHistory.tsx'));

interface ViewDialogProps extends Pick<CrudPageProps, 'crud' | 'fields' | 'noun' | 'columns' | 'actions' | 'parents' | 'formWidth' | 'presentation'> {
  readonly row: Row;
  readonly store: CrudStore;
  readonly onTurn: (row: Row) => void;
  /** Absent when this user may not add rows. */
  readonly onCopy: ((row: Row) => void) | undefined;
  readonly trees: ParentTrees;
  readonly format: FormatField;
  readonly container: () => Element;
  /** Runs once earlier values of the row have been restored. */
  readonly onChanged: () => void;
  readonly onClose: () => void;
  /** Called when a record whose id alone is known cannot be loaded. */
  readonly onMissing: () => void;
}

/** Shows one row with all its fields, reloaded from the server, and its history. */
export default function ViewDialog({
  crud,
  row,
  trees,
  format,
  fields,
  noun,
  columns = {},
  actions = {},
  parents = {},
  store,
  onTurn,
  onCopy,
  onChanged,
  onClose,
  onMissing,
  ...frame
}: ViewDialogProps) {
  const t = useTranslation();
  const may = useGrants();
  const titleOf = useRecordTitle({ crud, ...(fields ? { fields } : {}), ...(noun ? { noun } : {}) });
  const [part, setPart] = useState<'fields' | 'history'>('fields');
  const isLinked = Object.keys(row).length === 1;
  const { data, error, isFetching, refetch } = useQuery(crud.detail ?? crud.list, { id: row.id }, { enabled: crud.detail !== undefined, quiet: isLinked });
  const shown: Row = { ...row, ...(data as Row | undefined) };

  const mayEdit = crud.submit !== undefined && may(codes(crud.menu).edit) && (actions.edit?.(shown) ?? true);
  const turn = async (find: FindRow) => {
    const found = await find();
    if (found) onTurn(found);
  };

  const shownFields = viewFields(crud.entity, fields);
  useEffect(() => {
    for (const { name } of shownFields) if (parents[name]) trees.load(name, parents[name]);
  });

  const isMissing = isLinked && data === undefined && error !== undefined;
  useEffect(() => {
    if (isMissing) onMissing();
  }, [isMissing, onMissing]);

  if (isLinked && data === undefined) return null;
  return (
    <FormFrame {...frame} title={titleOf('view', shown)} onClose={onClose}>
      {crud.history && (
        <Radio.Group className="crud-view__switch" type="button" aria-label={t(historyMessages.part)} value={part} onChange={setPart}>
          <Radio value="fields">{t(historyMessages.fields)}</Radio>
          <Radio value="history">{t(historyMessages.entries)}</Radio>
        </Radio.Group>
      )}
      {part === 'history' && crud.history ? (
        <Suspense>
          <RecordHistory
            crud={crud}
            call={crud.history}
            row={shown}
            mayEdit={mayEdit}
            format={format}
            container={frame.container}
            isReloading={isFetching}
            onReload={refetch}
            onRestored={() => {
              refetch();
              onChanged();
            }}
          />
        </Suspense>
      ) : (
        <FieldList fields={shownFields} row={shown} format={format} columns={columns} />
      )}
      <div className="crud-form__buttons">
        <RecordPager store={store} row={row} onTurn={turn} />
        <span className="crud-form__gap" />
        {onCopy && <Button onClick={() => onCopy(shown)}>{t('form.copy')}</Button>}
        <Button data-autofocus onClick={onClose}>
          {t('crud.close')}
        </Button>
      </div>
    </FormFrame>
  );
}
