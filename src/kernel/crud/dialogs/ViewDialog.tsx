import { Button } from '@arco-design/web-react';
import { useEffect, useState } from 'react';
import { useService } from '../../base/react/services.tsx';
import { Http } from '../../platform/http/http.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import FieldList from '../cells/FieldList.tsx';
import type { CrudPageProps, Row } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { viewFields } from '../model/entity-fields.ts';
import { observeRequest } from '../model/observe-request.ts';
import type { ParentTrees } from '../model/parent-trees.ts';
import type { FormatField } from '../model/use-parents.ts';
import { FormFrame } from './FormFrame.tsx';
import { type Find, RecordPager } from './RecordPager.tsx';
import { useRecordTitle } from './use-record-title.ts';

interface ViewDialogProps extends Pick<CrudPageProps, 'crud' | 'fields' | 'noun' | 'columns' | 'parents' | 'formWidth' | 'presentation'> {
  readonly row: Row;
  readonly store: CrudStore;
  readonly onTurn: (row: Row) => void;
  /** Absent when this user may not add rows. */
  readonly onCopy: ((row: Row) => void) | undefined;
  readonly trees: ParentTrees;
  readonly read: FormatField;
  readonly container: () => Element;
  readonly onClose: () => void;
}

/** Shows one row with all its fields, reloaded from the server. */
export default function ViewDialog({
  crud,
  row,
  trees,
  read,
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
  const http = useService(Http);
  const t = useTranslation();
  const titleOf = useRecordTitle({ crud, ...(fields ? { fields } : {}), ...(noun ? { noun } : {}) });
  const [shown, setShown] = useState(row);

  useEffect(() => {
    setShown(row);
    if (!crud.detail) return;
    const reading = observeRequest(http, crud.detail, { id: row.id }).subscribe((answer) => {
      if (answer.success) setShown({ ...row, ...(answer.data as Row) });
    });
    return () => reading.unsubscribe();
  }, [http, crud, row]);

  const turn = async (find: Find) => {
    const found = await find();
    if (found) onTurn(found);
  };

  const shownFields = viewFields(crud.entity, fields);
  useEffect(() => {
    for (const { name } of shownFields) if (parents[name]) trees.want(name, parents[name]);
  });

  return (
    <FormFrame {...frame} title={titleOf('view', shown)} onClose={onClose}>
      <FieldList fields={shownFields} row={shown} read={read} columns={columns} />
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
