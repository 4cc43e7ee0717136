import { Button, Modal } from '@arco-design/web-react';
import { useEffect, useState } from 'react';
import { Http } from '../http/http.ts';
import { useText, useWords } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { asking } from './asking.ts';
import type { CrudPageProps, Row } from './crud-screen.ts';
import { viewFields } from './entity-fields.ts';
import type { ParentTrees } from './parent-trees.ts';
import type { Reading } from './use-parents.ts';

interface ViewDialogProps extends Pick<CrudPageProps, 'crud' | 'fields' | 'columns' | 'parents' | 'formWidth'> {
  readonly row: Row;
  readonly trees: ParentTrees;
  readonly read: Reading;
  readonly container: () => Element;
  readonly onClose: () => void;
}

/** Shows one row whole, as the server has it now. */
export default function ViewDialog({ crud, row, trees, read, fields, columns = {}, parents = {}, formWidth = 640, container, onClose }: ViewDialogProps) {
  const http = useService(Http);
  const text = useText();
  const say = useWords();
  const [shown, setShown] = useState(row);

  useEffect(() => {
    if (!crud.detail) return;
    const reading = asking(http, crud.detail, { id: row.id }).subscribe((answer) => {
      if (answer.success) setShown({ ...row, ...(answer.data as Row) });
    });
    return () => reading.unsubscribe();
  }, [http, crud, row]);

  const shownFields = viewFields(crud.entity, fields);
  useEffect(() => {
    for (const { name } of shownFields) if (parents[name]) trees.want(name, parents[name]);
  });

  return (
    <Modal
      visible
      className="crud-dialog"
      style={{ width: formWidth }}
      title={text('crud.viewTitle')}
      getPopupContainer={container}
      onCancel={onClose}
      footer={<Button onClick={onClose}>{text('crud.close')}</Button>}
    >
      <dl className="crud-view">
        {shownFields.map((field) => (
          <div key={field.name} className="crud-view__item">
            <dt>{say(field.traits.title)}</dt>
            <dd>{columns[field.name]?.render?.(shown) ?? (read(field, shown) || text('crud.nothing'))}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
