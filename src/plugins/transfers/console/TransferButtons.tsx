import { Button } from '@arco-design/web-react';
import { Suspense, useState } from 'react';
import { type ListToolbarProps, lazyComponent, useCan, useTranslation } from '#kernel';
import { codes } from '#shared/menu-entry';
import { buttonMessages } from './button-messages.ts';
import { SheetIcon } from './SheetIcon.tsx';

const ExportDialog = lazyComponent(() => import('./ExportDialog.tsx'));
const ImportDialog = lazyComponent(() => import('./ImportDialog.tsx'));

/** Offers export and import of a screen's rows to users with the permission. */
export function TransferButtons({ crud, readList, container, onChanged }: ListToolbarProps) {
  const t = useTranslation();
  const [opened, setOpened] = useState<'export' | 'import'>();
  const permitted = codes(crud.menu);
  const mayExport = useCan(permitted.export);
  const mayImport = useCan(permitted.import);
  const mayAdd = useCan(permitted.add);
  const close = () => setOpened(undefined);
  return (
    <>
      {crud.export && mayExport && (
        <Button icon={<SheetIcon name="export" />} aria-haspopup="dialog" onClick={() => setOpened('export')}>
          {t(buttonMessages.export)}
        </Button>
      )}
      {crud.import && mayImport && mayAdd && (
        <Button icon={<SheetIcon name="import" />} aria-haspopup="dialog" onClick={() => setOpened('import')}>
          {t(buttonMessages.import)}
        </Button>
      )}
      <Suspense>
        {opened === 'export' && <ExportDialog crud={crud} readList={readList} container={container} onClose={close} />}
        {opened === 'import' && <ImportDialog crud={crud} container={container} onImported={onChanged} onClose={close} />}
      </Suspense>
    </>
  );
}
