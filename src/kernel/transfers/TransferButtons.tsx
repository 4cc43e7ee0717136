import { Button } from '@arco-design/web-react';
import { IconExport, IconImport } from '@arco-design/web-react/icon';
import { Suspense, useState } from 'react';
import { codes } from '#shared/contract';
import type { CrudCalls, CrudPageProps } from '../crud/model/crud-screen.ts';
import type { CrudStore } from '../crud/model/crud-store.ts';
import type { ScreenField } from '../crud/model/entity-fields.ts';
import type { TableSettings } from '../crud/model/table-settings.ts';
import { useTranslation } from '../platform/i18n/use-translation.ts';
import { useGrants } from '../platform/permission/use-can.tsx';
import { lazyComponent } from '../ui/loading/part.tsx';

const ExportDialog = lazyComponent(() => import('./ExportDialog.tsx'));
const ImportDialog = lazyComponent(() => import('./ImportDialog.tsx'));

interface TransferButtonsProps {
  readonly store: CrudStore;
  readonly crud: CrudCalls;
  readonly fields: readonly ScreenField[];
  readonly settings: TableSettings;
  readonly filter: CrudPageProps['filter'];
  readonly container: () => Element;
  readonly onImported: () => void;
}

/** Offers export and import of a screen's rows to users with the permission. */
export function TransferButtons({ store, crud, fields, settings, filter, container, onImported }: TransferButtonsProps) {
  const t = useTranslation();
  const may = useGrants();
  const [opened, setOpened] = useState<'export' | 'import'>();
  const permitted = codes(crud.menu);
  const close = () => setOpened(undefined);
  return (
    <>
      {crud.export && may(permitted.export) && (
        <Button icon={<IconExport />} aria-haspopup="dialog" onClick={() => setOpened('export')}>
          {t('transfers.export')}
        </Button>
      )}
      {crud.import && may(permitted.import) && may(permitted.add) && (
        <Button icon={<IconImport />} aria-haspopup="dialog" onClick={() => setOpened('import')}>
          {t('transfers.import')}
        </Button>
      )}
      <Suspense>
        {opened === 'export' && (
          <ExportDialog store={store} crud={crud} fields={fields} settings={settings} filter={filter} container={container} onClose={close} />
        )}
        {opened === 'import' && <ImportDialog crud={crud} container={container} onImported={onImported} onClose={close} />}
      </Suspense>
    </>
  );
}
