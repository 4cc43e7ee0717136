import { useNavigate } from 'react-router-dom';
import { useText } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { CountBadge } from '../shell/CountBadge.tsx';
import { Icon } from '../shell/Icon.tsx';
import { IconButton } from '../shell/IconButton.tsx';
import { useStream } from '../use-stream.ts';
import { ErrorLog } from './error-log.ts';

/** Opens the error log of this browser and shows its number of entries; for deployments in debug mode. */
export function LogBadge() {
  const text = useText();
  const navigate = useNavigate();
  const log = useService(ErrorLog);
  const { length } = useStream(log.entries$, log.entries);
  return (
    <IconButton label={text('logs.open', { count: length })} onClick={() => navigate('/logs')}>
      <Icon name="bug" />
      <CountBadge count={length} />
    </IconButton>
  );
}
