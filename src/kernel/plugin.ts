import type { ComponentType } from 'react';
import type { TeardownLogic } from 'rxjs';
import type { EventToken, Menu } from '#shared/contract';
import type { ConsoleOptions } from '#shared/options';
import type { Needs } from '#shared/plugin-fit';
import type { Words } from '#shared/text';
import type { Undo } from './bus.ts';
import type { Filling } from './slots/slot.ts';

/** A class used as the identifier of its service: a port (abstract) or the class itself. */
export type ServiceClass<Service = unknown> = abstract new (...arguments_: never[]) => Service;

type Resolved<Identifiers extends readonly ServiceClass[]> = {
  [Position in keyof Identifiers]: Identifiers[Position] extends ServiceClass<infer Service> ? Service : never;
};

/** Binds a class to what its constructor takes, in that order; the compiler checks both. Singletons, disposed with their plugin. */
export type Provide = <Service, const Needs extends readonly ServiceClass[]>(service: new (...needs: Resolved<Needs>) => Service, needs: Needs) => void;

/** Lends other plugins a service under a token of one's `extension.ts`, as long as the plugin runs. */
export type Share = <Service>(token: ServiceClass<Service>, service: ServiceClass<Service>) => void;

/** What a running plugin is lent; everything obtained through it ends with the plugin. */
export interface PluginContext<Options = object> {
  /** What the deployment has settled about the plugin, as its `options.ts` declares it. */
  readonly options: Options;
  get<Service>(service: ServiceClass<Service>): Service;
  /** What another plugin shares, or nothing while it does not run: ask each time. */
  find<Service>(service: ServiceClass<Service>): Service | undefined;
  on<Payload>(event: EventToken<Payload>, listener: (payload: Payload) => void): Undo;
  /** Runs when the plugin stops. */
  onStop(teardown: TeardownLogic): void;
}

/** Route, menu resolver and permission in one: this page answers to this menu entry. */
export interface Page {
  readonly menu: Menu;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

/** A page that is loaded when it is first opened. */
export const page = (menu: Menu, load: Page['load']): Page => ({ menu, load });

/** One record that was found by typing, in words of its own; its location shows it. */
export interface Found {
  readonly key: string;
  readonly title: string;
  /** What tells it from others of its title. */
  readonly detail?: string;
  readonly location: string;
}

/** Answers with the few records that fit what was typed; nobody waits any more once the signal is aborted. */
export type Find = (query: string, context: Pick<PluginContext, 'get'>, signal: AbortSignal) => Promise<readonly Found[]>;

/** Records that can be found from everywhere by those who have their page. */
export interface RecordSearch {
  readonly menu: Menu;
  readonly load: () => Promise<{ readonly default: Find }>;
}

/** A search that is loaded when somebody first types; only who holds the code of the menu entry is asked for. */
export const records = (menu: Menu, load: RecordSearch['load']): RecordSearch => ({ menu, load });

/** A plugin's table of contents. */
export interface Plugin<Options = object> {
  readonly id: string;
  readonly title: Words;
  /** `1.2.3`; the kernel's unless said. */
  readonly version?: string;
  /** A range of the kernel's versions it works with: `^0.1`. */
  readonly engine?: string;
  /** Ids of plugins that must be wired and running first, with a range of their versions where it matters: `{ organization: '^1.2' }`. */
  readonly needs?: Needs;
  /** Ids of plugins that start first where they are there; it runs without them too. */
  readonly wants?: readonly string[];
  /** Cannot be disabled. */
  readonly core?: boolean;
  provide?(provide: Provide, share: Share): void;
  readonly pages?: readonly Page[];
  readonly search?: readonly RecordSearch[];
  /** What it puts into slots of the kernel and of other plugins. */
  readonly fills?: readonly Filling[];
  /** Pages of other plugins it shows its own in place of, as long as it runs. */
  readonly overrides?: readonly Page[];
  start?(context: PluginContext<Options>): void | Promise<void>;
  /** Put in by the build from the manifest, never by the plugin. */
  readonly options?: Options;
}

/** Checks a plugin's table of contents where it is written; one that has options names them: `definePlugin<typeof LampOptions>`. */
export const definePlugin = <Schema = unknown>(plugin: Plugin<ConsoleOptions<Schema>>): Plugin => plugin as Plugin;

/** A plugin of this deployment, not yet loaded. */
export interface PluginEntry {
  readonly id: string;
  readonly load: () => Promise<{ readonly default: Plugin }>;
  /** In development: calls this when a file of it has changed, and `load` answers with what it is now. */
  readonly changed?: (replace: () => void) => Undo;
}
