import { Button } from '@arco-design/web-react';
import { useEffect } from 'react';
import { rowStates } from '#shared/row-states';
import { useQuery } from '../../platform/http/use-query.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import FieldList from '../cells/FieldList.tsx';
import { Tag } from '../cells/Tag.tsx';
import type { CrudPageProps, Row } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { viewFields } from '../model/entity-fields.ts';
import type { FormatField, ParentTrees } from '../model/parent-trees.ts';
import { FormFrame, useRecordTitle } from './FormFrame.tsx';
import { type FindRow, RecordPager } from './RecordPager.tsx';

interface ViewDialogProps extends Pick<CrudPageProps, 'crud' | 'fields' | 'noun' | 'columns' | 'parents' | 'formWidth' | 'presentation'> {
  readonly row: Row;
  readonly store: CrudStore;
  readonly onTurn: (row: Row) => void;
  /** Absent when this user may not add rows. */
  readonly onCopy: ((row: Row) => void) | undefined;
  readonly trees: ParentTrees;
  readonly format: FormatField;
  readonly container: () => Element;
  readonly onClose: () => void;
}

/** Shows one row with all its fields, reloaded from the server. */
export default function ViewDialog({
  crud,
  row,
  trees,
  format,
  fields,
  noun,
  columns = {},
  parents = {},
  store,
  onTurn,
  onCopy,
  onClose,
  ...frame
}: ViewDialogProps) {
  const t = useTranslation();
  const titleOf = useRecordTitle({ crud, ...(fields ? { fields } : {}), ...(noun ? { noun } : {}) });
  const { data } = useQuery(crud.detail ?? crud.list, { id: row.id }, { enabled: crud.detail !== undefined });
  const shown: Row = { ...row, ...(data as Row | undefined) };

  const turn = async (find: FindRow) => {
    const found = await find();
    if (found) onTurn(found);
  };

  const shownFields = viewFields(crud.entity, fields);
  useEffect(() => {
    for (const { name } of shownFields) if (parents[name]) trees.load(name, parents[name]);
  });

  return (
    <FormFrame {...frame} title={titleOf('view', shown)} onClose={onClose}>
      {shown.isDeleted === rowStates.archived && (
        <p className="crud-view__state">
          <Tag tone="neutral">{t('crud.archived')}</Tag>
        </p>
      )}
      <FieldList fields={shownFields} row={shown} format={format} columns={columns} />
      <div className="crud-form__buttons">
        <RecordPager store={store} row={row} onTurn={turn} />
        <span className="crud-form__gap" />
        {onCopy && shown.isDeleted !== rowStates.archived && <Button onClick={() => onCopy(shown)}>{t('form.copy')}</Button>}
        <Button data-autofocus onClick={onClose}>
          {t('crud.close')}
        </Button>
      </div>
    </FormFrame>
  );
}
