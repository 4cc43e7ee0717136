import type { Log } from './http/app.ts';
import { Parameters } from './parameters.ts';

/** Reads what the plugin that keeps parameters has stored; until there is one, and whenever it fails, the presets hold. */
export class StoredParameters extends Parameters {
  private stored: { readonly plugin: string; readonly read: (key: string) => Promise<string | undefined> } | undefined;

  constructor(private readonly log: Log) {
    super();
  }

  /** One plugin of a deployment may keep parameters; a second one is told so. */
  readFrom(plugin: string, read: (key: string) => Promise<string | undefined>): void {
    if (this.stored) throw new Error(`parameters are already kept by "${this.stored.plugin}"`);
    this.stored = { plugin, read };
  }

  forget(plugin: string): void {
    if (this.stored?.plugin === plugin) this.stored = undefined;
  }

  async text(key: string, preset: string): Promise<string> {
    try {
      return (await this.stored?.read(key)) ?? preset;
    } catch (error) {
      this.log.error({ err: error, key, plugin: this.stored?.plugin }, 'a parameter could not be read; its preset holds');
      return preset;
    }
  }

  async whole(key: string, preset: number): Promise<number> {
    const text = (await this.text(key, '')).trim();
    return /^-?\d{1,15}$/.test(text) ? Number(text) : preset;
  }
}
