import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sparePort } from '../../scripts/port.mjs';
import { findSlapd } from '../../scripts/test-services.mjs';

/** Program of OpenLDAP; undefined if it is not installed. */
export const slapd = findSlapd();

const suffix = 'dc=company,dc=test';
const root = { dn: `cn=root,${suffix}`, password: 'Root-of-the-tree' } as const;

/** Entry that the server signs in with to search. */
export const reader = { dn: `cn=console,${suffix}`, password: 'Reads-the-tree' } as const;
export const people = `ou=people,${suffix}`;
export const groups = `ou=groups,${suffix}`;

const configuration = (home: string) => `
${['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`).join('\n')}
pidfile ${home}/pid
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
TLSCertificateFile ${home}/certificate.pem
TLSCertificateKeyFile ${home}/key.pem
TLSCACertificateFile ${home}/certificate.pem
database mdb
suffix "${suffix}"
rootdn "${root.dn}"
rootpw ${root.password}
directory ${home}/data
overlay memberof
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${reader.dn}" read by * none
`;

const tree = `
dn: ${suffix}
objectClass: dcObject
objectClass: organization
o: Company
dc: company

dn: ${people}
objectClass: organizationalUnit
ou: people

dn: ${groups}
objectClass: organizationalUnit
ou: groups

dn: ${reader.dn}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: console
userPassword: ${reader.password}
`;

/** Person of the directory; the password is the uid followed by `-2026`. */
interface Person {
  readonly uid: string;
  readonly name: string;
  readonly mail?: string;
}

/** OpenLDAP of Debian with a tree of its own in a temporary directory. */
export class LdapServer {
  private running: ChildProcess | undefined;

  private constructor(
    private readonly home: string,
    private readonly port: number,
    private readonly tlsPort: number,
  ) {}

  static async open(): Promise<LdapServer> {
    const home = mkdtempSync(join(tmpdir(), 'marquee-ldap-'));
    mkdirSync(join(home, 'data'));
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    const files = ['-keyout', join(home, 'key.pem'), '-out', join(home, 'certificate.pem')];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], { stdio: 'ignore' });
    writeFileSync(join(home, 'slapd.conf'), configuration(home));
    const server = new LdapServer(home, await sparePort(), await sparePort());
    await server.start();
    server.modify(tree, ['-a']);
    return server;
  }

  async start(): Promise<void> {
    const addresses = `ldap://127.0.0.1:${this.port}/ ldaps://127.0.0.1:${this.tlsPort}/`;
    const daemon = spawn(slapd ?? '', ['-d', '0', '-h', addresses, '-f', join(this.home, 'slapd.conf')], { stdio: ['ignore', 'ignore', 'pipe'] });
    let problem = '';
    daemon.stderr.setEncoding('utf8').on('data', (text) => (problem += text));
    this.running = daemon;
    for (let tries = 0; !((await isListening(this.port)) && (await isListening(this.tlsPort))); tries += 1) {
      if (daemon.exitCode !== null || tries > 100) throw new Error(`slapd did not start: ${problem}`);
      await wait(50);
    }
  }

  /** Ends the server; its tree stays. */
  async kill(): Promise<void> {
    const daemon = this.running;
    if (!daemon || daemon.exitCode !== null) return;
    const ended = new Promise((resolve) => daemon.once('close', resolve));
    daemon.kill('SIGKILL');
    await ended;
    this.running = undefined;
  }

  /** Address without encryption, which StartTLS adds. */
  get address(): string {
    return `ldap://localhost:${this.port}`;
  }

  /** Address of connections that begin with TLS. */
  get secureAddress(): string {
    return `ldaps://localhost:${this.tlsPort}`;
  }

  /** Certificate of `localhost`, which signs itself. */
  get certificate(): string {
    return readFileSync(join(this.home, 'certificate.pem'), 'utf8');
  }

  add({ uid, name, mail }: Person): void {
    const optional = mail ? `mail: ${mail}\n` : '';
    this.modify(`dn: uid=${uid},${people}\nobjectClass: inetOrgPerson\nuid: ${uid}\ncn: ${name}\nsn: ${name}\n${optional}userPassword: ${uid}-2026\n`, ['-a']);
  }

  /** Creates a group; a group of this kind has at least one member. */
  addGroup(name: string, ...uids: readonly string[]): void {
    const members = [root.dn, ...uids.map((uid) => `uid=${uid},${people}`)].map((dn) => `member: ${dn}`);
    this.modify(`dn: cn=${name},${groups}\nobjectClass: groupOfNames\ncn: ${name}\n${members.join('\n')}\n`, ['-a']);
  }

  join(group: string, uid: string): void {
    this.modify(`dn: cn=${group},${groups}\nchangetype: modify\nadd: member\nmember: uid=${uid},${people}\n`);
  }

  leave(group: string, uid: string): void {
    this.modify(`dn: cn=${group},${groups}\nchangetype: modify\ndelete: member\nmember: uid=${uid},${people}\n`);
  }

  remove(uid: string): void {
    this.modify(`dn: uid=${uid},${people}\nchangetype: delete\n`);
  }

  set(uid: string, attribute: string, value: string): void {
    this.modify(`dn: uid=${uid},${people}\nchangetype: modify\nreplace: ${attribute}\n${attribute}: ${value}\n`);
  }

  rename(uid: string, newUid: string): void {
    this.modify(`dn: uid=${uid},${people}\nchangetype: modrdn\nnewrdn: uid=${newUid}\ndeleteoldrdn: 1\n`);
  }

  /** Changes entries with the client of OpenLDAP. */
  private modify(ldif: string, options: readonly string[] = []): void {
    const access = ['-x', '-H', `ldap://127.0.0.1:${this.port}`, '-D', root.dn, '-w', root.password];
    execFileSync('ldapmodify', [...access, ...options], { input: ldif, stdio: ['pipe', 'ignore', 'pipe'] });
  }

  async stop(): Promise<void> {
    await this.kill();
    if (existsSync(this.home)) rmSync(this.home, { recursive: true, force: true });
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(Boolean(socket.end())));
    socket.on('error', () => resolve(false));
  });
}
