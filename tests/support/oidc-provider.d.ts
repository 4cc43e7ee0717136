declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  interface Context {
    readonly path: string;
    readonly querystring: string;
    body: unknown;
    get(header: string): string;
    throw(status: number): never;
  }

  /** The part of the library that tests use. */
  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    readonly Client: { find(id: string): Promise<{ backchannelLogout(sub: string, sid: string | undefined): Promise<void> } | undefined> };
    readonly AccessToken: { find(token: string): Promise<{ readonly accountId: string; readonly scope: string } | undefined> };
  }
}
