import { Suspense, useEffect } from 'react';
import { useService } from '../base/react/services.tsx';
import { useStore } from '../base/react/use-store.ts';
import { useText } from '../platform/i18n/use-words.ts';
import { part } from '../ui/loading/part.tsx';
import { SidePanel } from '../ui/overlays/SidePanel.tsx';
import { Icon } from '../ui/primitives/Icon.tsx';
import { IconButton } from '../ui/primitives/IconButton.tsx';
import styles from './CentreButton.module.css';
import { isUnderWay, TransferCentre } from './transfer-centre.ts';

const CentreList = part(() => import('./CentreList.tsx'));

/** Opens the download centre and shows the number of running transfers. */
export function CentreButton() {
  const text = useText();
  const centre = useService(TransferCentre);
  const isOpen = useStore(centre, (state) => state.isOpen);
  const running = useStore(centre, ({ rows }) => rows.filter(isUnderWay).length);
  useEffect(() => void centre.refresh(), [centre]);
  return (
    <>
      <IconButton
        label={running > 0 ? text('transfers.centreRunning', { count: running }) : text('transfers.centre')}
        aria-haspopup="dialog"
        onClick={() => centre.open(true)}
      >
        <span className={styles.mark}>
          <Icon name="download" />
          {running > 0 && <span className={styles.badge}>{running}</span>}
        </span>
      </IconButton>
      <SidePanel title={text('transfers.centre')} open={isOpen} width={560} onClose={() => centre.open(false)}>
        <Suspense>
          <CentreList centre={centre} />
        </Suspense>
      </SidePanel>
    </>
  );
}
