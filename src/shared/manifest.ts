import type { Words } from './text.ts';

/** What a deployment is made of: `plugins.manifest.json`. A plugin that is not listed is absent from bundle, menu, codes and API. */
export interface Manifest {
  readonly product: { readonly name: string; readonly title: Words };
  readonly brand?: Brand;
  /** Begins every key the console writes to browser storage and every cookie. */
  readonly storagePrefix: string;
  readonly language: 'zh' | 'en';
  /** Of those who chose none: `theme-default` … `theme-lte`. */
  readonly theme: string;
  readonly homePath: string;
  /** Age in seconds at which the console refreshes its token. */
  readonly tokenTime: number;
  /** The public client of the token endpoint; `sryx` where the file does not say. */
  readonly clientId: string;
  /** Codes of the envelope that reject instead of being toasted and answered. */
  readonly statusWhitelist?: readonly number[];
  /** Where the API is when it is not where the console came from. */
  readonly apiBase?: string;
  readonly modes: { readonly tenant: boolean; readonly switch: boolean; readonly debug: boolean };
  /** Origins whose pages may be embedded, as the Content-Security-Policy writes them: `https://reports.example.com`, `https://*.example.com`. */
  readonly frames?: readonly string[];
  /** Plugins, each the name of a folder in `src/plugins` or the path of one from the manifest (`./`); one that does not exist is warned about and skipped. */
  readonly plugins: readonly string[];
}

/** What a tenant puts in place of the product's own looks. Files are named from the manifest's folder (`./brand/logo.svg`) and become part of the build, or by an address. */
export interface Brand {
  readonly name?: string;
  readonly title?: Words;
  /** In place of the product's mark; square, or as wide as its head has room. */
  readonly logo?: string;
  readonly favicon?: string;
  /** A picture behind the left half of the sign-in page, in place of the drawing. */
  readonly background?: string;
  /** `#rrggbb`, in place of every theme's own colour until an operator picks one. */
  readonly colour?: string;
}
