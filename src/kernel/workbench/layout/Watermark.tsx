import { useEffect, useState } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { Session } from '../../platform/session/session.ts';
import styles from './Watermark.module.css';

const minute = 60_000;

/** Draws the user's name and the time faintly over everything, so that a photograph of the screen identifies its source. */
export default function Watermark() {
  const session = useService(Session);
  const user = useStream(session.user$, session.user);
  const now = useMinute();
  const name = user?.real_name || user?.user_name || user?.account || '';
  return <div className={styles.watermark} style={{ backgroundImage: `url("${drawing([name, now])}")` }} aria-hidden="true" />;
}

/** Returns the current time to the minute, in the format of the browser's locale. */
function useMinute(): string {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), minute);
    return () => clearInterval(timer);
  }, []);
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())} ${two(now.getHours())}:${two(now.getMinutes())}`;
}

const two = (number: number) => String(number).padStart(2, '0');
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function drawing(lines: readonly string[]): string {
  const rows = lines.map((line, at) => `<text x="130" y="${84 + at * 20}">${escaped(line)}</text>`).join('');
  // A medium grey is visible on light and on dark backgrounds and does not obscure the text below it.
  const style = 'font-family="sans-serif" font-size="14" text-anchor="middle" fill="#888" fill-opacity="0.2"';
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="260" height="180"><g transform="rotate(-22 130 90)" ${style}>${rows}</g></svg>`)}`;
}
