import type { ComponentType } from 'react';
import type { TeardownLogic } from 'rxjs';
import type { EventToken, Menu } from '#shared/contract';
import type { ConsoleOptions, OptionsSchema } from '#shared/options';
import type { PluginDependencies } from '#shared/plugin-versions';
import type { LocalizedText } from '#shared/text';
import type { Disposer } from '../../base/bus/bus.ts';
import type { Provide, ServiceClass } from '../../base/container/services.ts';
import { useService } from '../../base/react/services.tsx';
import type { Contribution } from '../../ui/slots/slots.ts';

/** Provides a service to other plugins under a token of the plugin's `extension.ts`, while the plugin runs. */
export type Share = <Service>(token: ServiceClass<Service>, service: ServiceClass<Service>) => void;

/** Context of a running plugin; everything obtained through it ends with the plugin. */
export interface PluginContext<Options = object> {
  /** Options that the deployment has set for the plugin, declared in its `options.ts`. */
  readonly options: Options;
  get<Service>(service: ServiceClass<Service>): Service;
  /** Returns a service of another plugin, or `undefined` while that plugin does not run: call it each time. */
  find<Service>(service: ServiceClass<Service>): Service | undefined;
  on<Payload>(event: EventToken<Payload>, listener: (payload: Payload) => void): Disposer;
  /** Runs when the plugin stops. */
  onStop(teardown: TeardownLogic): void;
}

/** The page of a menu entry: its route, its component and its permission in one. */
export interface PluginPage {
  readonly menu: Menu;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
  /** Set for a page outside the menu, which every signed-in user reaches by its exact path. */
  readonly route?: PageRouteOptions;
}

/** Options of a page outside the menu. */
export interface PageRouteOptions {
  /** False for a page that never becomes a tab. */
  readonly isTab: boolean;
}

/** Declares a page that is loaded when it is first opened. */
export const page = (menu: Menu, load: PluginPage['load']): PluginPage => ({ menu, load });

/** Declares a page outside the menu at this exact path, for every signed-in user. The page and the calls it sends check permissions themselves. */
export const route = (at: Pick<Menu, 'code' | 'title' | 'path'>, load: PluginPage['load'], { isTab }: PageRouteOptions = { isTab: true }): PluginPage => ({
  menu: at,
  load,
  route: { isTab },
});

/** Definition of a plugin. */
export interface Plugin<Options = object> {
  readonly id: string;
  readonly title: LocalizedText;
  /** Version such as `1.2.3`; that of the kernel by default. */
  readonly version?: string;
  /** Range of kernel versions it works with: `^0.1`. */
  readonly engine?: string;
  /** Ids of plugins that must be wired and running first, with a range of their versions where it matters: `{ organization: '^1.2' }`. */
  readonly dependencies?: PluginDependencies;
  /** Ids of plugins that start first where they are installed; the plugin runs without them too. */
  readonly optionalDependencies?: readonly string[];
  /** True when the plugin cannot be disabled. */
  readonly core?: boolean;
  provide?(provide: Provide, share: Share): void;
  readonly pages?: readonly PluginPage[];
  /** Contributions to slots of the kernel and of other plugins. */
  readonly contributions?: readonly Contribution[];
  /** Pages of other plugins that the plugin replaces while it runs. */
  readonly overrides?: readonly PluginPage[];
  start?(context: PluginContext<Options>): void | Promise<void>;
  /** Set by the build from the manifest, never by the plugin. */
  readonly options?: Options;
}

/** Checks the type of a plugin's definition; a plugin with options names them: `definePlugin<typeof LampOptions>`. */
export const definePlugin = <Schema = unknown>(plugin: Plugin<ConsoleOptions<Schema>>): Plugin => plugin as Plugin;

/** A plugin of this deployment, not yet loaded. */
export interface LoadablePlugin {
  readonly id: string;
  readonly load: () => Promise<{ readonly default: Plugin }>;
  /** Calls `replace` in development when a file of the plugin has changed; `load` then resolves with the new code. */
  readonly changed?: (replace: () => void) => Disposer;
}

/** Options the deployment has set for the current plugin; each plugin's container has its own. */
export abstract class PluginOptions {
  abstract readonly values: object;
}

/** Returns the options of the plugin a component belongs to: `usePluginOptions<typeof LampOptions>()`. */
export function usePluginOptions<Schema extends OptionsSchema>(): ConsoleOptions<Schema> {
  return useService(PluginOptions).values as ConsoleOptions<Schema>;
}
