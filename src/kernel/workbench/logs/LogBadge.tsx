import { useNavigate } from 'react-router-dom';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { ErrorLog } from '../../platform/errors/error-log.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { CountBadge } from '../../ui/primitives/CountBadge.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { IconButton } from '../../ui/primitives/IconButton.tsx';

/** Opens the error log of this browser and shows its number of entries; for deployments in debug mode. */
export function LogBadge() {
  const t = useTranslation();
  const navigate = useNavigate();
  const log = useService(ErrorLog);
  const { length } = useStream(log.entries$, log.entries);
  return (
    <IconButton label={t('logs.open', { count: length })} onClick={() => navigate('/logs')}>
      <Icon name="bug" />
      <CountBadge count={length} />
    </IconButton>
  );
}
