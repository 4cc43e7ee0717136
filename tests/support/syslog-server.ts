import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sparePort } from '../../scripts/port.mjs';
import { findRsyslog } from '../../scripts/test-services.mjs';

/** Program of rsyslog; undefined if it is not installed. */
export const rsyslog = findRsyslog();

/** A message as rsyslog has parsed it. */
export interface SyslogMessage {
  readonly priority: number;
  readonly app: string;
  readonly id: string;
  readonly text: string;
}

/** rsyslog of Debian with a configuration of its own in a temporary directory, over TCP and over TLS. */
export class SyslogServer {
  private readonly home = mkdtempSync(join(tmpdir(), 'marquee-syslog-'));
  private running: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    readonly tlsPort: number,
  ) {
    const [certificate, key] = [this.certificate, join(this.home, 'key.pem')];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=localhost',
        '-addext',
        'subjectAltName=DNS:localhost',
        '-keyout',
        key,
        '-out',
        certificate,
      ],
      { stdio: 'ignore' },
    );
    const template = '%pri%\\t%app-name%\\t%msgid%\\t%msg%\\n';
    const lines = [
      `global(workDirectory="${this.home}" maxMessageSize="256k" defaultNetstreamDriverCAFile="${certificate}" defaultNetstreamDriverCertFile="${certificate}" defaultNetstreamDriverKeyFile="${key}")`,
      'module(load="imptcp")',
      'module(load="imtcp" streamDriver.name="ossl" streamDriver.mode="1" streamDriver.authMode="anon")',
      `template(name="parsed" type="string" string="${template}")`,
      'ruleset(name="all") {',
      `  action(type="omfile" file="${join(this.home, 'messages')}" template="parsed")`,
      '}',
      `input(type="imptcp" address="127.0.0.1" port="${port}" ruleset="all")`,
      `input(type="imtcp" address="127.0.0.1" port="${tlsPort}" ruleset="all")`,
    ];
    writeFileSync(join(this.home, 'rsyslog.conf'), `${lines.join('\n')}\n`);
  }

  static async start(): Promise<SyslogServer> {
    const server = new SyslogServer(await sparePort(), await sparePort());
    await server.resume();
    return server;
  }

  /** Certificate of `localhost`, as a file. */
  get certificate(): string {
    return join(this.home, 'certificate.pem');
  }

  async resume(): Promise<void> {
    const options = ['-n', '-f', join(this.home, 'rsyslog.conf'), '-i', join(this.home, 'pid')];
    this.running = spawn(rsyslog ?? '', options, { stdio: 'ignore' });
    for (let attempt = 0; attempt < 200 && !((await accepts(this.port)) && (await accepts(this.tlsPort))); attempt += 1) await pause(50);
  }

  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.running?.once('exit', resolve));
    this.running?.kill('SIGKILL');
    await ended;
  }

  messages(): SyslogMessage[] {
    const path = join(this.home, 'messages');
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const [priority = '', app = '', id = '', ...rest] = line.split('\t');
        return { priority: Number(priority), app, id, text: rest.join('\t').trim() };
      });
  }

  async discard(): Promise<void> {
    await this.kill();
    rmSync(this.home, { recursive: true, force: true });
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
