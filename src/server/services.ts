/** A port, an abstract class that a plugin's `server-extension.ts` declares: type and token of a service in one. */
export type ServiceToken<Service = unknown> = abstract new (...arguments_: never[]) => Service;

interface Shared {
  readonly plugin: string;
  readonly service: unknown;
}

/** What plugins share with one another, and who has taken what. */
export class SharedServices {
  private readonly shared = new Map<ServiceToken, Shared>();
  private readonly takers = new Map<string, Set<ServiceToken>>();

  /** A second answer for one token is refused. */
  share<Service>(plugin: string, token: ServiceToken<Service>, service: Service): void {
    if (this.shared.has(token)) throw new Error(`${token.name} is there already, and cannot be shared a second time`);
    this.shared.set(token, { plugin, service });
  }

  /** The service of a plugin that the asker needs: it is there, since that one has started first. */
  get<Service>(plugin: string, needs: readonly string[], token: ServiceToken<Service>): Service {
    const found = this.shared.get(token);
    if (!found) throw new Error(`${token.name} is shared by no plugin that runs`);
    if (found.plugin !== plugin && !needs.includes(found.plugin)) throw new Error(`${token.name} is of "${found.plugin}", which "${plugin}" does not need`);
    this.noteTaken(plugin, token);
    return found.service as Service;
  }

  /** The service, or nothing where nobody shares it or `isOff` says that its plugin is off. */
  find<Service>(plugin: string, token: ServiceToken<Service>, isOff: (owner: string) => boolean): Service | undefined {
    const found = this.shared.get(token);
    if (!found || isOff(found.plugin)) return undefined;
    this.noteTaken(plugin, token);
    return found.service as Service;
  }

  /** Names of what a plugin shares. */
  sharedBy(plugin: string): string[] {
    return [...this.shared].filter(([, found]) => found.plugin === plugin).map(([{ name }]) => name);
  }

  /** Names of what a plugin has taken of others. */
  takenBy(plugin: string): string[] {
    return [...(this.takers.get(plugin) ?? [])].map(({ name }) => name);
  }

  /** Takes back everything a plugin shares. */
  forget(plugin: string): void {
    for (const [token, found] of this.shared) if (found.plugin === plugin) this.shared.delete(token);
    this.takers.delete(plugin);
  }

  private noteTaken(plugin: string, token: ServiceToken): void {
    this.takers.set(plugin, (this.takers.get(plugin) ?? new Set()).add(token));
  }
}
