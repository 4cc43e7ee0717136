import type { Call } from '#shared/contract';
import { ByPlugin } from '../../base/by-plugin.ts';
import type { Log } from '../../base/log.ts';
import { asPlugin } from '../../platform/audit/stray-errors.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Principal } from '../../platform/principal/principal.ts';
import type { SearchSource } from '../../platform/search/search-sources.ts';
import type { ServedScreen, ServerContributions } from './contributions.ts';

/** A generic screen with its plugin and further path prefixes of its calls. */
export interface DeclaredScreen {
  readonly plugin: string;
  readonly pathPrefixes: readonly string[];
  readonly screen: ServedScreen;
}

type ScreenRoutes = NonNullable<ServerContributions['screenRoutes']>;

interface Extender {
  readonly plugin: string;
  readonly screenRoutes: ScreenRoutes;
}

interface ServedScreensDeps {
  readonly log: Log;
  /** Throws if a plugin is disabled for the caller. */
  readonly assertPluginEnabled: (plugin: string, principal: Principal | undefined) => void;
}

/** Generic screens of all plugins, with the plugins that serve further calls of each. */
export class ServedScreens {
  private readonly screens = new ByPlugin<DeclaredScreen>();
  private readonly extenders = new ByPlugin<Extender>();

  constructor(private readonly deps: ServedScreensDeps) {}

  add(plugin: string, screens: readonly DeclaredScreen[], screenRoutes: ScreenRoutes | undefined): void {
    this.screens.add(plugin, screens);
    if (screenRoutes) this.extenders.add(plugin, [{ plugin, screenRoutes }]);
  }

  unregister(plugin: string): void {
    for (const registry of [this.screens, this.extenders]) registry.unregister(plugin);
  }

  /** Returns the screens whose records are found by the search. */
  listSearchSources(): SearchSource[] {
    return this.screens
      .all()
      .flatMap(({ screen: { crud, repository, search } }) =>
        search && crud.list ? [{ ...search, entity: crud.entity, menu: crud.menu, list: crud.list, repository }] : [],
      );
  }

  /** Collects the routes that plugins add to the screens of all plugins; calls that are already served keep their handler. */
  routes(served: readonly Route[]): Route[] {
    const taken = new Set(served.map(({ call }) => call));
    return this.extenders.all().flatMap((extender) =>
      this.screens.all().flatMap((declared) =>
        this.routesOn(declared, extender).filter(({ call }) => {
          const isFree = call !== undefined && !taken.has(call);
          taken.add(call);
          return isFree;
        }),
      ),
    );
  }

  private routesOn({ plugin: owner, screen, pathPrefixes }: DeclaredScreen, { plugin, screenRoutes }: Extender): Route[] {
    const assertPluginEnabled = (principal: Principal | undefined) => {
      for (const id of [owner, plugin]) this.deps.assertPluginEnabled(id, principal);
    };
    try {
      const calls: readonly unknown[] = Object.values(screen.crud);
      return asPlugin(plugin, () => screenRoutes(screen)).map((route) => ({
        ...(calls.includes(route.call) && route.call ? { aliases: aliasesOf(route.call, pathPrefixes) } : {}),
        ...route,
        plugin: owner,
        assertPluginEnabled,
        handler: asPluginHandler(plugin, route.handler),
      }));
    } catch (error) {
      this.deps.log.error({ plugin, err: error }, `plugin "${plugin}" could not extend the screen "${screen.crud.menu}" of "${owner}"`);
      return [];
    }
  }
}

/** Returns the paths of a call under further prefixes. */
export const aliasesOf = ({ path }: Call, pathPrefixes: readonly string[]): string[] =>
  pathPrefixes.map((prefix) => `${prefix}${path.slice(path.lastIndexOf('/'))}`).filter((address) => address !== path);

/** Attributes the errors of a handler to its plugin. */
export const asPluginHandler =
  (plugin: string, handler: Route['handler']): Route['handler'] =>
  (request) =>
    asPlugin(plugin, () => handler(request));
