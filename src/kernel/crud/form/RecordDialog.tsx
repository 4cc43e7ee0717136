import { Button } from '@arco-design/web-react';
import { useQuery } from '../../platform/http/use-query.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import FieldList from '../cells/FieldList.tsx';
import type { CrudCalls, Row } from '../model/crud-screen.ts';
import { formatValue, viewFields } from '../model/entity-fields.ts';
import { pageOf } from '../model/list-page.ts';
import { ScreenDialog } from './ScreenDialog.tsx';

interface RecordDialogProps {
  readonly crud: CrudCalls;
  readonly id: string;
  readonly name: string | undefined;
  readonly container: () => Element;
  readonly onClose: () => void;
}

/** Shows another record than the edited one, read-only, over an open form. */
export default function RecordDialog({ crud, id, name, container, onClose }: RecordDialogProps) {
  const t = useTranslation();
  const { data: reply } = useQuery(crud.detail ?? crud.list, crud.detail ? { id } : { ids: id });
  const data = crud.detail || reply === undefined ? reply : pageOf(reply).rows[0];
  const title = t('crud.view');
  return (
    <ScreenDialog
      title={name ? t('crud.recordNamed', { title, name }) : title}
      width={640}
      container={container}
      onClose={onClose}
      footer={
        <Button data-autofocus onClick={onClose}>
          {t('crud.close')}
        </Button>
      }
    >
      <div aria-busy={data === undefined}>
        {data !== undefined && (
          <FieldList
            fields={viewFields(crud.entity).filter(({ traits }) => traits.widget !== 'parent')}
            row={data as Row}
            format={(field, row) => formatValue(field, row[field.name], t)}
          />
        )}
      </div>
    </ScreenDialog>
  );
}
