import { LRUCache } from 'lru-cache';
import type { ServerContext } from '#server';
import { Issuer } from '../issuer.ts';
import { egressFetch } from './egress-fetch.ts';
import type { OidcProvider } from './stored-providers.ts';

const maxIssuers = 500;

/** Caches the issuers of tenants with the metadata that they have published. A provider whose settings have changed gets a new issuer. */
export class Issuers {
  private readonly cache = new LRUCache<string, Issuer>({ max: maxIssuers });
  private readonly fetch: ReturnType<typeof egressFetch>;

  constructor(egress: ServerContext['egress']) {
    this.fetch = egressFetch(egress);
  }

  of({ id, version, issuer, clientId, clientSecret, scopes }: OidcProvider): Issuer {
    const key = `${id} ${version}`;
    const cached = this.cache.get(key);
    if (cached) return cached;
    const created = new Issuer({ issuer: new URL(issuer), clientId, clientSecret, scopes }, this.fetch);
    this.cache.set(key, created);
    return created;
  }

  /** Sends a request for another library, under the egress rules of the issuers. */
  readonly request = (address: string | URL, init?: RequestInit): Promise<Response> => this.fetch(address, init);
}
