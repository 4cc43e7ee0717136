import { IconStar } from '@arco-design/web-react/icon';
import { useState } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import type { CrudCalls } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { ColumnSetting, TableSettings } from '../model/table-settings.ts';
import { ToolButton } from '../table/tools/TableTools.tsx';

const ViewsPanel = lazyComponent(() => import('./ViewsPanel.tsx'));

interface ViewsButtonProps {
  readonly store: CrudStore;
  readonly crud: CrudCalls;
  readonly settings: TableSettings;
  /** Applies the columns of a view without saving them. */
  readonly onColumns: (columns: readonly ColumnSetting[]) => void;
}

/** Opens the saved views of a list. */
export function ViewsButton(props: ViewsButtonProps) {
  const t = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const panel = <ViewsPanel {...props} onDone={() => setIsOpen(false)} />;
  return <ToolButton isLabelled align="start" title={t('table.views')} icon={<IconStar />} isOpen={isOpen} onOpen={setIsOpen} panel={panel} />;
}
