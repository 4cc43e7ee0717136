import { Bulkhead } from '../../base/bulkhead.ts';
import type { HttpResponse } from '../../base/send-http.ts';
import type { Delivery } from '../../platform/inbox/inbox.ts';
import type { PackagePorts } from '../../platform/packages/package-file.ts';
import type { ServerContext } from '../plugin-host/plugin.ts';
import type { PlainHttpRequest } from './protocol.ts';

/** Limits of the ports that a contained plugin may be granted. */
const limits = { users: 1000, deliveriesPerMinute: 120, requests: 10, waitingRequests: 100, timeoutMs: 20_000, maxBytes: 2 ** 20 } as const;

const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Ports of the server that the administrator has granted to a contained plugin by installing its package. Values come from its process, so that all are checked here. */
export class GrantedPorts {
  private readonly requests = new Bulkhead({ concurrency: limits.requests, queueSize: limits.waitingRequests });
  private minute = { start: 0, deliveries: 0 };

  constructor(
    private readonly id: string,
    private readonly ports: PackagePorts,
    private readonly context: () => ServerContext,
  ) {}

  /** Delivers a notification to users of the tenant in which the plugin works; throws without the grant, beyond the limits, and for a link to pages of others. */
  async deliver({ users, tenant, kind, title, body, status, link }: Delivery, tenantLimit: string | undefined): Promise<void> {
    if (!this.ports.inbox) throw notGranted('inbox', '"inbox": true');
    if (!Array.isArray(users) || users.length > limits.users) throw new Error(`A contained plugin may notify ${limits.users} users at a time.`);
    if (link !== undefined && link !== `/${this.id}` && !String(link).startsWith(`/${this.id}/`))
      throw new Error(`A notification of a contained plugin may link to its own pages only, below /${this.id}.`);
    this.countDelivery();
    const scope = tenantLimit ?? tenant;
    const optional = { ...(body && { body: textsOf(body) }), ...(status && { status }), ...(link && { link }), ...(scope && { tenant: scope }) };
    await this.context().inbox.deliver({ users: users.map(String), kind, title: textsOf(title), ...optional });
  }

  /** Sends a request to one of the granted origins under the egress rules of the deployment; throws without the grant. Redirects are not followed. */
  async sendHttp(address: string, { method, headers, body, timeoutMs, maxBytes }: PlainHttpRequest): Promise<HttpResponse> {
    const url = new URL(address);
    if (!this.ports.egress?.includes(url.origin)) throw notGranted(`egress to ${url.origin}`, `"egress": ["${url.origin}"]`);
    if (!methods.includes(method)) throw new Error(`A contained plugin may send ${methods.join(', ')}.`);
    const { egress } = this.context();
    const texts = Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]));
    const request = {
      method,
      headers: texts,
      body: String(body ?? ''),
      timeoutMs: least(timeoutMs, limits.timeoutMs),
      maxBytes: least(maxBytes, limits.maxBytes),
    };
    return this.requests.run(() => egress.send(url, request));
  }

  private countDelivery(): void {
    const now = performance.now();
    if (now - this.minute.start > 60_000) this.minute = { start: now, deliveries: 0 };
    this.minute.deliveries += 1;
    if (this.minute.deliveries > limits.deliveriesPerMinute)
      throw new Error(`A contained plugin may deliver ${limits.deliveriesPerMinute} notifications a minute.`);
  }
}

const textsOf = ([chinese, english]: readonly [string, string]): [string, string] => [String(chinese).slice(0, 255), String(english).slice(0, 255)];

const least = (asked: unknown, limit: number): number => (typeof asked === 'number' && asked > 0 ? Math.min(asked, limit) : limit);

const notGranted = (port: string, declaration: string) =>
  new Error(`The plugin has not been granted ${port}. Declare it in package.json: "marquee": { "ports": { ${declaration} } }.`);
