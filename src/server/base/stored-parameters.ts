import { type ChoiceParameter, type FlagParameter, type IntegerParameter, type Parameter, type TextParameter, tenantKey } from '#shared/parameters';
import type { Log } from './log.ts';
import { Parameters } from './parameters.ts';

/** Reads parameters from the plugin that stores them; without that plugin, or if it fails, defaults apply. */
export class StoredParameters extends Parameters {
  private store: { readonly plugin: string; readonly read: (key: string) => Promise<string | undefined> } | undefined;

  constructor(private readonly log: Log) {
    super();
  }

  /** Registers the plugin that stores parameters; throws if another one is registered. */
  registerReader(plugin: string, read: (key: string) => Promise<string | undefined>): void {
    if (this.store) throw new Error(`parameters are already stored by "${this.store.plugin}"`);
    this.store = { plugin, read };
  }

  unregister(plugin: string): void {
    if (this.store?.plugin === plugin) this.store = undefined;
  }

  async integer(parameter: IntegerParameter, tenantId?: string): Promise<number> {
    const text = (await this.storedText(parameter, tenantId))?.trim() ?? '';
    if (!/^-?\d{1,15}$/.test(text)) return parameter.preset;
    return Math.min(parameter.maximum, Math.max(parameter.minimum, Number(text)));
  }

  async text(parameter: TextParameter | ChoiceParameter, tenantId?: string): Promise<string> {
    return (await this.storedText(parameter, tenantId)) ?? parameter.preset;
  }

  async flag(parameter: FlagParameter, tenantId?: string): Promise<boolean> {
    const text = (await this.storedText(parameter, tenantId))?.trim().toLowerCase();
    return text === 'true' || (text !== 'false' && parameter.preset);
  }

  /** Returns the tenant's own value, or else the deployment's. */
  private async storedText(parameter: Parameter, tenantId: string | undefined): Promise<string | undefined> {
    const own = parameter.isPerTenant && tenantId !== undefined ? await this.read(tenantKey(parameter, tenantId)) : undefined;
    return own ?? this.read(parameter.key);
  }

  private async read(key: string): Promise<string | undefined> {
    try {
      return await this.store?.read(key);
    } catch (error) {
      this.log.error({ err: error, key, plugin: this.store?.plugin }, 'could not read a parameter; using its default');
      return undefined;
    }
  }
}
