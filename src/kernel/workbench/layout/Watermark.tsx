import { useEffect, useState } from 'react';
import { formatDateTime } from '../../platform/i18n/date-time.ts';
import { displayName, useUser } from '../../platform/session/use-user.ts';
import styles from './Watermark.module.css';

const minuteMs = 60_000;

/** Draws the user's name and the time faintly over everything, so that a photograph of the screen identifies its source. */
export default function Watermark() {
  const user = useUser();
  const now = useMinute();
  return <div className={styles.watermark} style={{ backgroundImage: `url("${drawing([displayName(user), now])}")` }} aria-hidden="true" />;
}

/** Returns the current time of the device to the minute. */
function useMinute(): string {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minuteMs);
    return () => clearInterval(timer);
  }, []);
  return formatDateTime(now, undefined).slice(0, 'yyyy-MM-dd HH:mm'.length);
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function drawing(lines: readonly string[]): string {
  const rows = lines.map((line, index) => `<text x="130" y="${84 + index * 20}">${escaped(line)}</text>`).join('');
  // A medium grey is visible on light and on dark backgrounds and does not obscure the text below it.
  const style = 'font-family="sans-serif" font-size="14" text-anchor="middle" fill="#888" fill-opacity="0.2"';
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="260" height="180"><g transform="rotate(-22 130 90)" ${style}>${rows}</g></svg>`)}`;
}
