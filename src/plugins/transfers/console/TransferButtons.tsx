import { Button } from '@arco-design/web-react';
import { Suspense, useState } from 'react';
import { type ListToolbarProps, lazyComponent, useCan, useTranslation } from '#kernel';
import { codes } from '#shared/menu-entry';
import { buttonMessages } from './button-messages.ts';

/** Paths of Arco Design (MIT) on a grid of 48 × 48. */
const paths = {
  export: 'M31.928 33.072 41 24.002l-9.072-9.072M16.858 24h24M31 41H7V7h24',
  import: 'm27.929 33.072-9.071-9.07 9.07-9.072M43 24H19m12 17H7V7h24',
} as const;

/** Icon of an export or import, as Arco draws it: its own components are many times as large, and every list loads these two. */
export const SheetIcon = ({ name }: { readonly name: keyof typeof paths }) => (
  <svg className={`arco-icon arco-icon-${name}`} fill="none" stroke="currentColor" strokeWidth="4" viewBox="0 0 48 48" aria-hidden focusable="false">
    <path d={paths[name]} />
  </svg>
);

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
