import { lookup as resolveHost } from 'node:dns';
import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { BlockList, isIP, type LookupFunction, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type HttpRequest, type HttpResponse, sendHttp } from './send-http.ts';

/** Error for an internal address that is not allowed. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
}

/** Special-purpose address blocks of the IANA registries, and further ones: multicast, and address forms that embed an IPv4 address. */
const internalBlocks: readonly (readonly [net: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  // Documentation.
  ['192.0.2.0', 24, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  // AS112 and multicast tunnels, which are anycast from the nearest network.
  ['192.31.196.0', 24, 'ipv4'],
  ['192.52.193.0', 24, 'ipv4'],
  ['192.175.48.0', 24, 'ipv4'],
  // 6to4 relays.
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  // Benchmarking.
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  // Loopback, unspecified, and IPv4 addresses behind zeros; mapped ones (`::ffff:…`) are checked as the IPv4 address they contain.
  ['::', 96, 'ipv6'],
  ['::ffff:0:0:0', 96, 'ipv6'],
  // IPv4 translation: NAT64, 6to4.
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  // Discard-only.
  ['100::', 64, 'ipv6'],
  ['100:0:0:1::', 64, 'ipv6'],
  // IETF protocol assignments: Teredo, benchmarks, ORCHID and others.
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
  ['2620:4f:8000::', 48, 'ipv6'],
  ['5f00::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

/** Lists this machine's current addresses, including public ones. */
function ownAddresses(interfaces: ReturnType<typeof networkInterfaces>): BlockList {
  const own = new BlockList();
  for (const { address, family } of Object.values(interfaces).flatMap((each) => each ?? []))
    own.addAddress(withoutZone(address), family === 'IPv6' ? 'ipv6' : 'ipv4');
  return own;
}

/** Removes the interface from an address such as `fe80::1%eth0`. */
const withoutZone = (address: string): string => address.replace(/%.*$/, '');

/**
 * HTTP access to addresses entered by users. Resolved addresses are checked when the connection is made: addresses of this machine and its networks are rejected unless
 * the deployment allows them (`EGRESS_ALLOW`: hosts, addresses and networks separated by commas).
 */
export class Egress {
  /** Agents for HTTP and HTTPS requests under these rules. */
  readonly agents: { readonly httpAgent: Agent; readonly httpsAgent: SecureAgent };
  private readonly hosts = new Set<string>();
  private readonly allowed = new BlockList();
  private readonly blocked = new BlockList();

  constructor(
    allowed = '',
    private readonly interfaces = networkInterfaces,
  ) {
    for (const [net, prefix, family] of internalBlocks) this.blocked.addSubnet(net, prefix, family);
    for (const entry of allowed.split(',').map((one) => one.trim().toLowerCase())) if (entry !== '') this.allow(entry);
    const options = { lookup: this.lookup, keepAlive: true, maxSockets: 50 };
    this.agents = { httpAgent: this.guarded(new Agent(options)), httpsAgent: this.guarded(new SecureAgent(options)) };
  }

  /** Throws `EgressError` for an internal numeric address; host names are checked when they are resolved. */
  check(url: URL): void {
    const host = hostOf(url.hostname);
    if (this.isBlocked(host)) throw egressError(host);
  }

  /** Sends a request and follows no redirect. Rejects with `EgressError` for an internal address, `HttpTimeoutError` or the connection's own error. */
  async send(url: URL, request: HttpRequest): Promise<HttpResponse> {
    this.check(url);
    return sendHttp(this.agents, url, request);
  }

  /** Creates a socket for other protocols whose `connect(port, host)` follows the same rules; a rejected address becomes its error. */
  socket(): Socket {
    const socket = new Socket();
    const connect = socket.connect.bind(socket);
    return Object.assign(socket, {
      connect: (port: number, host: string): Socket =>
        this.isBlocked(hostOf(host)) ? socket.destroy(egressError(host)) : connect({ port, host, lookup: this.lookup }),
    });
  }

  /** Checks numeric addresses, which are never resolved. */
  private guarded<Connecting extends Agent>(agent: Connecting): Connecting {
    const connect = agent.createConnection.bind(agent);
    agent.createConnection = (options, done) => {
      const host = hostOf(options.host ?? '');
      if (!this.isBlocked(host)) return connect(options, done);
      process.nextTick(() => (done as (failure: Error) => void)(egressError(host)));
      return undefined;
    };
    return agent;
  }

  private isBlocked(host: string): boolean {
    return isIP(host) !== 0 && !this.mayReach(host);
  }

  private allow(entry: string): void {
    const [net = '', prefix] = entry.split('/');
    const family = isIP(net);
    if (family === 0) this.hosts.add(entry);
    else if (prefix === undefined) this.allowed.addAddress(net, familyName(family));
    else this.allowed.addSubnet(net, Number(prefix), familyName(family));
  }

  private mayReach(address: string): boolean {
    const plain = withoutZone(address);
    const family = familyName(isIP(plain));
    return this.allowed.check(plain, family) || !(this.blocked.check(plain, family) || ownAddresses(this.interfaces()).check(plain, family));
  }

  private readonly lookup: LookupFunction = (hostname, options, done) => {
    resolveHost(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 4);
      const internal = this.hosts.has(hostname.toLowerCase()) ? undefined : found.find(({ address }) => !this.mayReach(address));
      const [first] = found;
      if (internal) return done(new EgressError(`${hostname} resolves to the internal address ${internal.address}.`), '', 4);
      if (!first) return done(new Error(`${hostname} resolves to no address.`), '', 4);
      return options.all ? done(null, found) : done(null, first.address, first.family);
    });
  };
}

/** Removes the brackets of an IPv6 address. */
const hostOf = (host: string) => host.replace(/^\[|\]$/g, '').toLowerCase();
const egressError = (host: string) => new EgressError(`${host} is an internal address.`);
const familyName = (family: number) => (family === 6 ? 'ipv6' : 'ipv4');
