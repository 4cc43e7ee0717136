import { LRUCache } from 'lru-cache';
import type { ServerContext } from '#server';
import { Issuer } from '../issuer.ts';
import { egressFetch } from './egress-fetch.ts';
import type { OidcProvider } from './stored-providers.ts';

const maxIssuers = 500;

/** Issuers of tenants with the metadata that they have published; changed settings begin with a new one. */
export class Issuers {
  private readonly known = new LRUCache<string, Issuer>({ max: maxIssuers });
  private readonly fetch: ReturnType<typeof egressFetch>;

  constructor(egress: ServerContext['egress']) {
    this.fetch = egressFetch(egress);
  }

  of({ id, version, issuer, clientId, clientSecret, scopes }: OidcProvider): Issuer {
    const key = `${id} ${version}`;
    const known = this.known.get(key);
    if (known) return known;
    const created = new Issuer({ issuer: new URL(issuer), clientId, clientSecret, scopes }, this.fetch);
    this.known.set(key, created);
    return created;
  }

  /** Sends a request of another library under the same rules. */
  readonly request = (address: string | URL, init?: RequestInit): Promise<Response> => this.fetch(address, init);
}
