import { lookup as lookUp } from 'node:dns';
import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { BlockList, isIP, type LookupFunction, Socket } from 'node:net';

/** An address inside that nobody has allowed. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';
}

const inside: readonly (readonly [net: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  ['::', 96, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

/**
 * The way out to addresses somebody typed. Whatever a name is resolved to is judged when the connection is made: addresses of this machine and its networks
 * are refused unless the deployment allows them (`EGRESS_ALLOW`: hosts, addresses and networks, with commas between).
 */
export class Egress {
  /** For requests over HTTP and HTTPS that go out through here. */
  readonly agents: { readonly httpAgent: Agent; readonly httpsAgent: SecureAgent };
  private readonly hosts = new Set<string>();
  private readonly allowed = new BlockList();
  private readonly refused = new BlockList();

  constructor(allowed = '') {
    for (const [net, prefix, family] of inside) this.refused.addSubnet(net, prefix, family);
    for (const entry of allowed.split(',').map((one) => one.trim().toLowerCase())) if (entry !== '') this.allow(entry);
    const options = { lookup: this.lookup, keepAlive: true, maxSockets: 50 };
    this.agents = { httpAgent: new Agent(options), httpsAgent: new SecureAgent(options) };
  }

  /** Throws `EgressRefused` for an address that is written as a number and leads inside; names are judged when they are resolved. */
  check(url: URL): void {
    const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
    if (this.isRefused(host)) throw refusalOf(host);
  }

  /** For protocols other than HTTP: a connection that `connect(port, host)` makes under the same rules; a refusal is its error. */
  socket(): Socket {
    const socket = new Socket();
    const connect = socket.connect.bind(socket);
    return Object.assign(socket, {
      connect: (port: number, host: string): Socket =>
        this.isRefused(host.toLowerCase()) ? socket.destroy(refusalOf(host)) : connect({ port, host, lookup: this.lookup }),
    });
  }

  private isRefused(host: string): boolean {
    return isIP(host) !== 0 && !this.mayReach(host);
  }

  private allow(entry: string): void {
    const [net = '', prefix] = entry.split('/');
    const family = isIP(net);
    if (family === 0) this.hosts.add(entry);
    else if (prefix === undefined) this.allowed.addAddress(net, nameOf(family));
    else this.allowed.addSubnet(net, Number(prefix), nameOf(family));
  }

  private mayReach(address: string): boolean {
    // An address of the old kind in the clothes of the new one.
    const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
    const family = nameOf(isIP(plain));
    return this.allowed.check(plain, family) || !this.refused.check(plain, family);
  }

  private readonly lookup: LookupFunction = (hostname, options, done) => {
    lookUp(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 4);
      const wrong = this.hosts.has(hostname.toLowerCase()) ? undefined : found.find(({ address }) => !this.mayReach(address));
      const [first] = found;
      if (wrong || !first) return done(new EgressRefused(`${hostname} leads inside, to ${wrong?.address}.`), '', 4);
      return options.all ? done(null, found) : done(null, first.address, first.family);
    });
  };
}

const refusalOf = (host: string) => new EgressRefused(`${host} is an address inside.`);
const nameOf = (family: number) => (family === 6 ? 'ipv6' : 'ipv4');
