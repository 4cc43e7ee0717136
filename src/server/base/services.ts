/** A port: an abstract class in a plugin's `server-extension.ts` that is both the type and the token of a service. */
export type ServiceToken<Service = unknown> = abstract new (...arguments_: never[]) => Service;

interface ProvidedService {
  readonly plugin: string;
  readonly service: unknown;
}

/** Services that plugins provide to one another, with a record of their users. */
export class SharedServices {
  private readonly provided = new Map<ServiceToken, ProvidedService>();
  private readonly users = new Map<string, Set<ServiceToken>>();

  /** Throws if the token already has a service. */
  provide<Service>(plugin: string, token: ServiceToken<Service>, service: Service): void {
    if (this.provided.has(token)) throw new Error(`${token.name} is already shared`);
    this.provided.set(token, { plugin, service });
  }

  /** Returns the service of a dependency, which exists because dependencies start first. */
  get<Service>(plugin: string, dependencies: readonly string[], token: ServiceToken<Service>): Service {
    const found = this.provided.get(token);
    if (!found) throw new Error(`${token.name} is not shared by any running plugin`);
    if (found.plugin !== plugin && !dependencies.includes(found.plugin))
      throw new Error(`${token.name} belongs to "${found.plugin}", which "${plugin}" does not list in its dependencies`);
    this.recordUse(plugin, token);
    return found.service as Service;
  }

  /** Returns the service, or undefined if no plugin provides it or `isOff` reports its plugin as disabled. */
  find<Service>(plugin: string, token: ServiceToken<Service>, isOff: (owner: string) => boolean): Service | undefined {
    const found = this.provided.get(token);
    if (!found || isOff(found.plugin)) return undefined;
    this.recordUse(plugin, token);
    return found.service as Service;
  }

  /** Lists the names of the services a plugin provides. */
  providedBy(plugin: string): string[] {
    return [...this.provided].filter(([, found]) => found.plugin === plugin).map(([{ name }]) => name);
  }

  /** Lists the names of the services a plugin uses. */
  usedBy(plugin: string): string[] {
    return [...(this.users.get(plugin) ?? [])].map(({ name }) => name);
  }

  /** Removes every service a plugin provides. */
  unregister(plugin: string): void {
    for (const [token, found] of this.provided) if (found.plugin === plugin) this.provided.delete(token);
    this.users.delete(plugin);
  }

  private recordUse(plugin: string, token: ServiceToken): void {
    this.users.set(plugin, (this.users.get(plugin) ?? new Set()).add(token));
  }
}
