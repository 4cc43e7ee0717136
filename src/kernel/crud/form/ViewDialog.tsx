import { Button } from '@arco-design/web-react';
import { useEffect, useState } from 'react';
import { Http } from '../../http/http.ts';
import { useText } from '../../i18n/use-words.ts';
import { useService } from '../../services.tsx';
import { asking } from '../asking.ts';
import FieldList from '../cells/FieldList.tsx';
import type { CrudPageProps, Row } from '../crud-screen.ts';
import type { CrudStore } from '../crud-store.ts';
import { viewFields } from '../entity-fields.ts';
import type { ParentTrees } from '../parent-trees.ts';
import type { Reading } from '../use-parents.ts';
import { FormFrame } from './FormFrame.tsx';
import { type Find, RecordTurner } from './RecordTurner.tsx';

interface ViewDialogProps extends Pick<CrudPageProps, 'crud' | 'fields' | 'columns' | 'parents' | 'formWidth' | 'presentation'> {
  readonly row: Row;
  readonly store: CrudStore;
  readonly onTurn: (row: Row) => void;
  /** Absent: this user adds no rows. */
  readonly onCopy: ((row: Row) => void) | undefined;
  readonly trees: ParentTrees;
  readonly read: Reading;
  readonly container: () => Element;
  readonly onClose: () => void;
}

/** Shows one row whole, as the server has it now. */
export default function ViewDialog({ crud, row, trees, read, fields, columns = {}, parents = {}, store, onTurn, onCopy, onClose, ...frame }: ViewDialogProps) {
  const http = useService(Http);
  const text = useText();
  const [shown, setShown] = useState(row);

  useEffect(() => {
    setShown(row);
    if (!crud.detail) return;
    const reading = asking(http, crud.detail, { id: row.id }).subscribe((answer) => {
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
    <FormFrame {...frame} title={text('crud.viewTitle')} onClose={onClose}>
      <FieldList fields={shownFields} row={shown} read={read} columns={columns} />
      <div className="crud-form__buttons">
        <RecordTurner store={store} row={row} onTurn={turn} />
        <span className="crud-form__gap" />
        {onCopy && <Button onClick={() => onCopy(shown)}>{text('form.copy')}</Button>}
        <Button data-autofocus onClick={onClose}>
          {text('crud.close')}
        </Button>
      </div>
    </FormFrame>
  );
}
