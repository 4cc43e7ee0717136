import type { Call } from '#shared/contract';
import type { Log } from '../base/log.ts';
import { asPlugin } from '../platform/audit/stray-errors.ts';
import { type Route, route, type ServeOptions } from '../platform/http/route.ts';
import type { Principal } from '../platform/principal/principal.ts';
import type { CrudServing, ServedScreen } from './plugin.ts';

/** A generic screen as its plugin has declared it. */
export interface DeclaredScreen extends Omit<ServedScreen, 'serve'> {
  readonly plugin: string;
  readonly also: NonNullable<CrudServing['also']>;
}

type ScreenListener = (screen: ServedScreen) => void;

interface ServedScreensDeps {
  readonly log: Log;
  /** Throws if a plugin is disabled for the caller. */
  readonly assertPluginEnabled: (plugin: string, principal: Principal | undefined) => void;
}

/** Generic screens of all plugins, with the plugins that serve further calls of each. */
export class ServedScreens {
  private readonly screens: DeclaredScreen[] = [];
  private readonly listeners: { readonly plugin: string; readonly listener: ScreenListener }[] = [];

  constructor(private readonly deps: ServedScreensDeps) {}

  add(...screens: readonly DeclaredScreen[]): void {
    this.screens.push(...screens);
  }

  listen(plugin: string, listener: ScreenListener): void {
    this.listeners.push({ plugin, listener });
  }

  /** Collects the routes that running plugins add to the screens of all plugins; calls that are already served keep their handler. */
  routes(served: readonly Route[], isRunning: (plugin: string) => boolean): Route[] {
    const taken = new Set(served.map(({ call }) => call));
    const listeners = this.listeners.filter(({ plugin }) => isRunning(plugin));
    return listeners.flatMap(({ plugin, listener }) => this.screens.flatMap((screen) => this.routesOn(screen, plugin, listener, taken)));
  }

  private routesOn(screen: DeclaredScreen, plugin: string, listener: ScreenListener, taken: Set<Call>): Route[] {
    const routes: Route[] = [];
    const assertPluginEnabled = (principal: Principal | undefined) => {
      for (const id of [screen.plugin, plugin]) this.deps.assertPluginEnabled(id, principal);
    };
    const serve = (call: Call | undefined, handler: Route['handler'], options: ServeOptions = {}) => {
      if (!call || taken.has(call)) return;
      taken.add(call);
      const aliases = Object.values(screen.crud).includes(call) ? aliasesOf(call, screen.also) : [];
      routes.push(route(call, handledAs(plugin, handler), { aliases, ...options, plugin: screen.plugin, assertPluginEnabled }));
    };
    try {
      asPlugin(plugin, () => listener({ ...screen, serve: serve as ServedScreen['serve'] }));
    } catch (error) {
      this.deps.log.error({ plugin, err: error }, `plugin "${plugin}" could not extend the screen "${screen.crud.menu}" of "${screen.plugin}"`);
    }
    return routes;
  }
}

/** Returns the paths of a call below further folders. */
export const aliasesOf = ({ path }: Call, folders: readonly string[]): string[] =>
  folders.map((folder) => `${folder}${path.slice(path.lastIndexOf('/'))}`).filter((address) => address !== path);

/** Attributes the errors of a handler to its plugin. */
export const handledAs =
  (plugin: string, handler: Route['handler']): Route['handler'] =>
  (request) =>
    asPlugin(plugin, () => handler(request));
