import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectEncrypted } from 'node:tls';
import type { EvidenceConfiguration } from '../../base/configuration/log-sink-settings.ts';

/** Facility “log audit” with the severity “informational”. */
const priority = 13 * 8 + 6;
const timeoutMs = 30_000;

/** A line that is sent; `log` names its table. */
export interface EvidenceLine {
  readonly log: string;
  readonly [name: string]: unknown;
}

/** Formats a line as an RFC 5424 message with octet counting. Its JSON is ASCII, because UTF-8 would have to begin with a byte order mark. */
export function syslogMessage(line: EvidenceLine, time: Date): string {
  const text = JSON.stringify(line).replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const message = `<${priority}>1 ${time.toISOString()} ${hostname().slice(0, 255) || '-'} marquee ${process.pid} ${line.log.slice(0, 32)} - ${text}`;
  return `${message.length} ${message}`;
}

/**
 * Sends lines to a syslog server over TCP or TLS. Syslog confirms nothing, so each call has a connection of its own, and the server's closing of it after ours tells that it has
 * read everything; anything else rejects, and the lines are sent again.
 */
export async function sendToSyslog(
  { host, port, isEncrypted, ca }: NonNullable<EvidenceConfiguration['syslog']>,
  lines: readonly EvidenceLine[],
  signal: AbortSignal,
): Promise<void> {
  const time = new Date();
  const text = lines.map((line) => syslogMessage(line, time)).join('');
  const authorities = ca === undefined ? {} : { ca: await readFile(ca) };
  await new Promise<void>((resolve, reject) => {
    const socket: Socket = isEncrypted ? connectEncrypted({ host, port, servername: host, ...authorities }) : connect({ host, port });
    const abort = () => socket.destroy(new Error('The server stops.'));
    let isWritten = false;
    let isRead = false;
    signal.addEventListener('abort', abort, { once: true });
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`The syslog server ${host}:${port} has not answered for ${timeoutMs / 1000} s.`)));
    socket.once(isEncrypted ? 'secureConnect' : 'connect', () => socket.end(text, 'ascii', () => (isWritten = true)));
    socket.once('end', () => (isRead = isWritten));
    socket.once('error', reject);
    socket.once('close', () => {
      signal.removeEventListener('abort', abort);
      if (isRead) resolve();
      else reject(new Error(`The syslog server ${host}:${port} closed the connection before it had read everything.`));
    });
    socket.resume();
  });
}
