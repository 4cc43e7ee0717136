import { ApiError } from '#shared/errors';
import { passkeyProblems } from '#shared/passkeys';
import type { Database } from '../../../data/database/database.ts';
import type { Origin } from '../../http/route.ts';
import { tenantOfHost } from '../accounts/tenant-of-host.ts';

/** Domain to which browsers bind passkeys, and the only origin from which they are accepted. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * Addresses at which passkeys work: the public one of the deployment, and the domain of a tenant for its users. A deployment without a public address accepts
 * `localhost` alone, as a first start and development have it. No other host that a request names is trusted.
 */
export class RelyingParties {
  constructor(
    private readonly db: Database,
    private readonly publicUrl: URL | undefined,
  ) {}

  /** Returns the relying party of the browser's own origin. With a tenant, only an address that its users may use. Throws for any other. */
  async of(request: Origin, tenantId?: string): Promise<RelyingParty> {
    const from = request.header('origin');
    const url = URL.canParse(from) ? new URL(from) : undefined;
    if (!url || !(await this.accepts(url, tenantId))) {
      const address = this.publicUrl?.origin;
      throw address ? new ApiError(passkeyProblems.openElsewhere, { address }) : new ApiError(passkeyProblems.unavailable);
    }
    return { id: url.hostname, origin: url.origin };
  }

  /** Tests whether a page at this host may use passkeys. */
  async isOffered(host: string, tenantId?: string): Promise<boolean> {
    const { publicUrl } = this;
    if (publicUrl) return publicUrl.host === host ? isDomain(publicUrl.hostname) : this.isOfTenant(host, tenantId);
    return hostnameOf(host) === 'localhost';
  }

  private async accepts(url: URL, tenantId: string | undefined): Promise<boolean> {
    const { publicUrl } = this;
    if (!publicUrl) return url.hostname === 'localhost';
    if (url.origin === publicUrl.origin) return isDomain(url.hostname);
    return url.protocol === 'https:' && this.isOfTenant(url.host, tenantId);
  }

  private async isOfTenant(host: string, tenantId: string | undefined): Promise<boolean> {
    const found = isDomain(hostnameOf(host)) ? await tenantOfHost(this.db, host) : undefined;
    return found !== undefined && (tenantId === undefined || found.tenantId === tenantId);
  }
}

const hostnameOf = (host: string) => (URL.canParse(`https://${host}`) ? new URL(`https://${host}`).hostname : '');

/** Excludes addresses of the network, to which browsers bind no passkeys. */
const isDomain = (hostname: string) => hostname !== '' && !hostname.startsWith('[') && !/^\d+(\.\d+){3}$/.test(hostname);
