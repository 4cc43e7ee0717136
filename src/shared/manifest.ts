import type { Words } from './text.ts';

/** What a deployment is made of: `plugins.manifest.json`. A plugin that is not listed is absent from bundle, menu, codes and API. */
export interface Manifest {
  readonly product: { readonly name: string; readonly title: Words };
  /** Begins every key the console writes to browser storage and every cookie. */
  readonly storagePrefix: string;
  readonly language: 'zh' | 'en';
  readonly theme: string;
  readonly homePath: string;
  /** Age in seconds at which the console refreshes its token. */
  readonly tokenTime: number;
  readonly modes: { readonly tenant: boolean; readonly switch: boolean; readonly debug: boolean };
  /** Ids of plugins, each the name of a folder in `src/plugins`; one that does not exist is warned about and skipped. */
  readonly plugins: readonly string[];
}
