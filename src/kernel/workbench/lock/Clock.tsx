import { useEffect, useMemo, useState } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { Locale } from '../../platform/i18n/locale.ts';
import styles from './LockPage.module.css';

/** Shows the time and the day in large type. */
export function Clock() {
  const locale = useService(Locale);
  const language = useStream(locale.language$, locale.language);
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1000);
    return () => clearInterval(timer);
  }, []);
  const { time, day } = useMemo(() => {
    const tag = language === 'zh' ? 'zh-CN' : 'en-GB';
    return {
      time: new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', hour12: false }),
      day: new Intl.DateTimeFormat(tag, { weekday: 'long', month: 'long', day: 'numeric' }),
    };
  }, [language]);
  return (
    <p className={styles.clock}>
      <time dateTime={now.toISOString()}>{time.format(now)}</time>
      <span>{day.format(now)}</span>
    </p>
  );
}
