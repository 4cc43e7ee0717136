import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Session } from '../../platform/session/session.ts';
import styles from './TopBar.module.css';

/** Shows the name of the current tenant; nothing in the platform's own tenant. */
export function TenantName() {
  const t = useTranslation();
  const session = useService(Session);
  const name = useStream(session.user$, session.user)?.tenant_name;
  if (!name) return null;
  const label = t('shell.tenantName', { name });
  return (
    <span className={styles.tenant} title={label} role="note" aria-label={label}>
      {name}
    </span>
  );
}
