import { Button, Modal } from '@arco-design/web-react';
import { useEffect, useState } from 'react';
import { Http } from '../http/http.ts';
import { useText, useWords } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { asking } from './asking.ts';
import type { CrudPageProps, Row } from './crud-screen.ts';
import { readable, viewFields } from './entity-fields.ts';

interface ViewDialogProps extends Pick<CrudPageProps, 'crud' | 'formWidth'> {
  readonly row: Row;
  readonly container: () => Element;
  readonly onClose: () => void;
}

/** Shows one row whole, as the server has it now. */
export default function ViewDialog({ crud, row, formWidth = 640, container, onClose }: ViewDialogProps) {
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
        {viewFields(crud.entity).map((field) => (
          <div key={field.name} className="crud-view__item">
            <dt>{say(field.traits.title)}</dt>
            <dd>{readable(field, shown[field.name], say) || text('crud.nothing')}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
