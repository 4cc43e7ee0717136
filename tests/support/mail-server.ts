import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sparePort } from '../../scripts/port.mjs';
import { findExim } from '../../scripts/test-services.mjs';

/** A message as it arrived. */
export interface ReceivedMail {
  /** Decoded headers by lower-case name; a repeated one has several values. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** Decoded parts by content type. */
  readonly parts: readonly { readonly type: string; readonly text: string }[];
  readonly recipients: readonly string[];
}

/** Exim of Debian with a configuration of its own in a temporary directory. It delivers to a Maildir, and refuses the recipients `nobody` and, until `acceptLater`, `later`. */
export interface MailServer {
  readonly port: number;
  /** Port on which connections begin with TLS. */
  readonly tlsPort: number;
  /** Certificate of `localhost`. */
  readonly certificate: string;
  readonly user: { readonly username: string; readonly password: string };
  acceptLater(): void;
  messages(): ReceivedMail[];
  /** Waits until a number of messages have been delivered. */
  received(count: number): Promise<ReceivedMail[]>;
  stop(): Promise<void>;
}

export const exim = findExim();

const user = { username: 'console', password: 'Mail-Room-2026' } as const;

const configuration = (home: string, port: number, tlsPort: number) => `
primary_hostname = localhost
spool_directory = ${home}/spool
log_file_path = ${home}/log-%s
pid_file_path = ${home}/pid
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${port} : ${tlsPort}
tls_on_connect_ports = ${tlsPort}
tls_advertise_hosts = *
tls_certificate = ${home}/certificate.pem
tls_privatekey = ${home}/key.pem
host_lookup =
rfc1413_query_timeout = 0s
qualify_domain = localhost
acl_smtp_mail = accept
acl_smtp_rcpt = rcpt
acl_smtp_data = data
log_selector = +all

begin acl
rcpt:
  deny local_parts = nobody
       message = 550 5.1.1 No such user here
  defer local_parts = later
        condition = \${if exists{${home}/later}{no}{yes}}
        message = 451 4.7.1 Greylisted, try again later
  deny local_parts = signedin
       !authenticated = *
       message = 530 5.7.0 Authentication required
  accept
data:
  deny condition = \${if match{$h_subject:}{spam}{yes}{no}}
       message = 554 5.7.1 Looks like spam
  accept

begin routers
all:
  driver = accept
  transport = maildir

begin transports
maildir:
  driver = appendfile
  directory = ${home}/mail
  maildir_format
  create_directory
  envelope_to_add

begin retry
* * F,1h,1m

begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if and{{eq{$auth2}{${user.username}}}{eq{$auth3}{${user.password}}}}{yes}{no}}
  server_set_id = $auth2
`;

/** Starts a server on free ports; throws if Exim cannot start, such as for a user who may not run it. */
export async function openMailServer(): Promise<MailServer> {
  const home = mkdtempSync(join(tmpdir(), 'marquee-mail-'));
  const [port, tlsPort] = [await sparePort(), await sparePort()];
  for (const folder of ['spool', 'mail']) mkdirSync(join(home, folder));
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const files = ['-keyout', join(home, 'key.pem'), '-out', join(home, 'certificate.pem')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], { stdio: 'ignore' });
  writeFileSync(join(home, 'exim.conf'), configuration(home, port, tlsPort));
  const isRoot = process.getuid?.() === 0;
  chmodSync(home, 0o755);
  if (isRoot) execFileSync('chown', ['-R', 'Debian-exim', home]);
  const [program, ...prefix] = isRoot ? ['runuser', '-u', 'Debian-exim', '--', exim ?? ''] : [exim ?? ''];
  const daemon = spawn(program ?? '', [...prefix, '-bdf', '-q30m', '-C', join(home, 'exim.conf')], { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  let problem = '';
  daemon.stderr.setEncoding('utf8').on('data', (text) => (problem += text));
  const ended = new Promise<void>((resolve) => daemon.once('close', () => resolve()));
  const stop = async () => {
    if (daemon.pid && daemon.exitCode === null) process.kill(-daemon.pid, 'SIGKILL');
    await ended;
    rmSync(home, { recursive: true, force: true });
  };
  for (let tries = 0; !(await isListening(port)); tries += 1) {
    if (daemon.exitCode !== null || tries > 100) {
      await stop();
      throw new Error(`Exim did not start: ${problem}`);
    }
    await wait(50);
  }
  const inbox = join(home, 'mail/new');
  // A name begins with the time of delivery in seconds, followed by `M` and the microseconds without leading zeros.
  const deliveredAt = (name: string) => name.replace(/^(\d+)\.M(\d+).*/, (_, seconds: string, micros: string) => seconds + micros.padStart(6, '0'));
  const names = () => (existsSync(inbox) ? readdirSync(inbox).sort((one, other) => Number(deliveredAt(one)) - Number(deliveredAt(other))) : []);
  const messages = () => names().map((name) => parseMail(readFileSync(join(inbox, name), 'latin1')));
  return {
    port,
    tlsPort,
    certificate: readFileSync(join(home, 'certificate.pem'), 'utf8'),
    user,
    acceptLater: () => writeFileSync(join(home, 'later'), ''),
    messages,
    async received(count) {
      for (let tries = 0; messages().length < count && tries < 200; tries += 1) await wait(50);
      return messages();
    },
    stop,
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(Boolean(socket.end())));
    socket.on('error', () => resolve(false));
  });
}

/** Parses a message by RFC 5322, 2045 and 2047, as far as these tests need it. */
function parseMail(raw: string): ReceivedMail {
  const { headers, parts } = entityOf(raw.replaceAll('\r\n', '\n'));
  return { headers, parts, recipients: headers.get('envelope-to') ?? [] };
}

function entityOf(raw: string): Pick<ReceivedMail, 'headers' | 'parts'> {
  const end = raw.indexOf('\n\n');
  const headers = new Map<string, string[]>();
  for (const line of raw
    .slice(0, end)
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')) {
    const [, name = '', value = ''] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), decodedWords(value)]);
  }
  const body = raw.slice(end + 2);
  const type = headers.get('content-type')?.[0] ?? 'text/plain';
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1];
  if (!boundary) return { headers, parts: [{ type, text: decoded(body, headers.get('content-transfer-encoding')?.[0]) }] };
  const sections = body.split(`--${boundary}`).slice(1, -1);
  return { headers, parts: sections.flatMap((section) => entityOf(section.replace(/^\n/, '')).parts) };
}

function decoded(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  return encoding === 'quoted-printable' ? quoted(body.replace(/=\n/g, '')) : Buffer.from(body, 'latin1').toString('utf8');
}

const quoted = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

const decodedWords = (value: string) =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, way: string, text: string) =>
      way.toUpperCase() === 'B' ? Buffer.from(text, 'base64').toString('utf8') : quoted(text.replaceAll('_', ' ')),
    );
