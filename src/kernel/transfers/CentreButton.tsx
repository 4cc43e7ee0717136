import { Suspense, useEffect } from 'react';
import { useService } from '../base/react/services.tsx';
import { useStore } from '../base/react/use-store.ts';
import { useTranslation } from '../platform/i18n/use-translation.ts';
import { lazyComponent } from '../ui/loading/part.tsx';
import { SidePanel } from '../ui/overlays/SidePanel.tsx';
import { Icon } from '../ui/primitives/Icon.tsx';
import { IconButton } from '../ui/primitives/IconButton.tsx';
import styles from './CentreButton.module.css';
import { isUnderWay, TransferCentre } from './transfer-centre.ts';

const CentreList = lazyComponent(() => import('./CentreList.tsx'));

/** Opens the download centre and shows the number of running transfers. */
export function CentreButton() {
  const t = useTranslation();
  const centre = useService(TransferCentre);
  const isOpen = useStore(centre, (state) => state.isOpen);
  const running = useStore(centre, ({ rows }) => rows.filter(isUnderWay).length);
  useEffect(() => void centre.refresh(), [centre]);
  return (
    <>
      <IconButton
        label={running > 0 ? t('transfers.centreRunning', { count: running }) : t('transfers.centre')}
        aria-haspopup="dialog"
        onClick={() => centre.open(true)}
      >
        <span className={styles.mark}>
          <Icon name="download" />
          {running > 0 && <span className={styles.badge}>{running}</span>}
        </span>
      </IconButton>
      <SidePanel title={t('transfers.centre')} open={isOpen} width={560} onClose={() => centre.open(false)}>
        <Suspense>
          <CentreList centre={centre} />
        </Suspense>
      </SidePanel>
    </>
  );
}
