import { Suspense, useEffect } from 'react';
import { Icon, IconButton, lazyComponent, SidePanel, Toasts, useService, useStore, useTranslation, useTransportErrorToast } from '#kernel';
import { buttonMessages } from './button-messages.ts';
import styles from './TransferCentreButton.module.css';
import { isUnfinished, TransferCentre } from './transfer-centre.ts';

const CentreList = lazyComponent(() => import('./CentreList.tsx'));

/** Opens the transfer centre, shows the number of running transfers, and announces exports that have ended. */
export function TransferCentreButton() {
  const t = useTranslation();
  const centre = useService(TransferCentre);
  const isOpen = useStore(centre, (state) => state.isOpen);
  const running = useStore(centre, ({ rows }) => rows.filter(isUnfinished).length);
  useEffect(() => void centre.refresh(), [centre]);
  useEndedExports(centre);
  return (
    <>
      <IconButton
        label={running > 0 ? t(buttonMessages.centreRunning, { count: running }) : t(buttonMessages.centre)}
        text={t(buttonMessages.centre)}
        aria-haspopup="dialog"
        onClick={() => centre.setOpen(true)}
      >
        <span className={styles.mark}>
          <Icon name="download" />
          {running > 0 && <span className={styles.badge}>{running}</span>}
        </span>
      </IconButton>
      <SidePanel title={t(buttonMessages.centre)} open={isOpen} width={560} onClose={() => centre.setOpen(false)}>
        <Suspense>
          <CentreList centre={centre} />
        </Suspense>
      </SidePanel>
    </>
  );
}

/** Announces each export that ends in the background. */
function useEndedExports(centre: TransferCentre) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const showError = useTransportErrorToast();
  useEffect(() => {
    const deps = { t, toasts, centre, showError };
    const subscription = centre.endedExports$.subscribe(async (row) => (await import('./announce-export.ts')).announceExport(row, deps));
    return () => subscription.unsubscribe();
  }, [centre, t, toasts, showError]);
}
