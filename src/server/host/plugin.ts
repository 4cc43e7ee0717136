import type { SQL } from 'drizzle-orm';
import type { Static, TSchema, TUnsafe } from 'typebox';
import type { Branch, Call, Crud, Entity, EventToken, FilterToken, LazyTreeCrud, Menu } from '#shared/contract';
import type { EntityExtension } from '#shared/entity-extension';
import type { ServerOptions } from '#shared/options';
import type { Parameter } from '#shared/parameters';
import type { PluginDependencies } from '#shared/plugin-fit';
import type { LocalizedText } from '#shared/text';
import type { Egress } from '../base/egress.ts';
import type { FilterHandler } from '../base/filters.ts';
import type { Parameters } from '../base/parameters.ts';
import type { ServiceToken } from '../base/services.ts';
import type { Database } from '../data/database/database.ts';
import type { Repository, TreeRepository } from '../data/repository/repository.ts';
import type { SystemLog } from '../platform/audit/system-log.ts';
import type { FigureSource } from '../platform/figures/figures.ts';
import type { Files } from '../platform/files/files.ts';
import type { CallRequest, Handler, Prepared, ServeOptions } from '../platform/http/route.ts';
import type { Passwords } from '../platform/identity/passwords/passwords.ts';
import type { SignInPort } from '../platform/identity/sign-in/sign-in-methods.ts';
import type { Inbox } from '../platform/inbox/inbox.ts';
import type { Processors } from '../platform/jobs/processors.ts';
import type { Live } from '../platform/live/live.ts';
import type { Explanations } from '../platform/permission/explanations.ts';
import type { Sms } from '../platform/sms/sms.ts';
import type { PluginSwitches } from '../platform/switches/plugin-switches.ts';
import type { ReadEntries } from '../platform/transfers/dictionary-words.ts';
import type { ExportOrders } from '../platform/transfers/export-orders.ts';
import type { SheetServing } from '../platform/transfers/targets.ts';
import type { PluginFacts } from './plugin-facts.ts';

/** Further options for the calls of a generic screen. */
export interface CrudServing {
  /** Condition on exported rows, if it differs from the condition of the screen's list. */
  readonly exported?: () => SQL;
  /** Further path prefixes for each call, used by BladeX-compatible clients: `/api/blade-system/role`. */
  readonly also?: readonly string[];
  /** Calls by which BladeX-compatible clients import and export its rows. */
  readonly sheets?: SheetServing;
}

/** Calls of a generic screen, as far as it has them; those that the plugin serves itself may take and return something else. */
export type ScreenCalls = Pick<Crud, 'entity' | 'menu'> & { readonly [Name in Exclude<keyof LazyTreeCrud, 'entity' | 'menu'>]?: Call };

type FormOfScreen<Screen> = Screen extends { readonly submit: Call<infer Input> } ? Static<Input> & object : object;

/** Repository that can serve a screen: a tree repository where the list is a tree. */
export type RepositoryOfScreen<Screen extends ScreenCalls> = Screen extends { readonly list: Call<TSchema, TUnsafe<Branch<infer _>[]>> }
  ? TreeRepository<Screen['entity'], FormOfScreen<Screen>>
  : Repository<Screen['entity'], FormOfScreen<Screen>>;

/** Services and registrations available to a server plugin. */
export interface ServerContext<Options = object> {
  /** Options of the plugin as set by the deployment and declared in its `options.ts`. */
  readonly options: Options;
  readonly db: Database;
  readonly parameters: Parameters;
  /** Lists every parameter of the kernel and of running plugins; call it while answering a request, not during setup. */
  parameterDeclarations(): readonly Parameter[];
  /** Sends live events to consoles. */
  readonly live: Live;
  /** Stores files; a caller that creates a link must have checked access to the file. */
  readonly files: Files;
  /** HTTP client for addresses entered by users. */
  readonly egress: Egress;
  /** Sends users notifications for the inbox in the top bar. */
  readonly inbox: Inbox;
  /** False if the deployment wants no sample rows. */
  readonly hasSamples: boolean;
  /** Writes the plugin's background events to the system log. */
  readonly systemLog: SystemLog;
  /** Sends codes to phones; a plugin may register a channel. */
  readonly sms: Sms;
  /** Metrics on the console's first page: plugins register their own, and the plugin that shows them reads all. */
  readonly figures: { register(...sources: readonly FigureSource[]): void; all(): readonly FigureSource[] };
  /** Exports lists of any plugin into the download centre of a user. */
  readonly exports: Pick<ExportOrders, 'runExport'>;
  /** Processors that jobs can run; plugins register their own. */
  readonly jobs: Processors;
  /** Explains why a user is allowed to do something, or is not. */
  readonly explanations: Pick<Explanations, 'of' | 'entries' | 'calls' | 'titleOf' | 'titled'>;
  /** All plugins of the deployment: their on/off state, a retry for crash-looping ones, and the number of uncaught errors of each in the last seven days. */
  readonly plugins: {
    all(): readonly PluginFacts[];
    readonly switches: PluginSwitches;
    retry(id: string): Promise<void>;
    strayErrors(): Promise<ReadonlyMap<string, number>>;
  };
  /** Id of the client that this deployment's own console signs in with. */
  readonly consoleClient: string;
  /** Codes of pages and buttons reserved for the platform tenant; call it while answering a request, because plugins start one after the other. */
  platformOnly(): ReadonlySet<string>;
  /** Reads and hashes passwords; hash them in `prepare`, never inside a transaction. */
  readonly passwords: Pick<Passwords, 'hash' | 'hashGenerated' | 'read' | 'assertStrong'>;
  /** Adds sign-in methods, whose results the kernel turns into sessions. */
  readonly signIn: SignInPort;
  /** Derives a key of this plugin for one purpose from the deployment's secret. */
  secretKey(purpose: string): Uint8Array;
  serve<C extends Call, Value = undefined>(
    call: C,
    handler: (request: CallRequest<C> & Prepared<Value>) => ReturnType<Handler<C>>,
    options?: ServeOptions<C, Value>,
  ): void;
  /** Serves the calls of a generic screen from one repository; calls that the plugin serves itself, before or after, take precedence. */
  serveCrud<Screen extends ScreenCalls>(screen: Screen, repository: RepositoryOfScreen<Screen>, serving?: CrudServing): void;
  /** Adds fields and validation rules to the rows of another plugin while this plugin is enabled. */
  extend(extension: EntityExtension): void;
  /** Copies the fields that other plugins have added to a row; a plugin calls it when it copies its own rows, in the current transaction. */
  copyAdded(entity: Entity, from: string, to: string): Promise<void>;
  /** Provides a service to other plugins under a token from this plugin's `server-extension.ts`, while this plugin is enabled. */
  share<Service>(token: ServiceToken<Service>, service: Service): void;
  /** Returns the service of a plugin declared as a dependency. */
  get<Service>(token: ServiceToken<Service>): Service;
  /** Returns the service of another plugin, or undefined if that plugin does not run or is disabled; call it on each use. */
  find<Service>(token: ServiceToken<Service>): Service | undefined;
  /** Registers a filter that runs before an operation of another plugin. */
  filter<Value>(filter: FilterToken<Value>, handle: FilterHandler<Value>): void;
  /** Runs every filter of a token in the current transaction and returns the resulting value. */
  applyFilters<Value>(filter: FilterToken<Value>, value: Value): Promise<Value>;
  /** Delivers the event once the transaction has committed. */
  emit<Payload>(event: EventToken<Payload>, payload: Payload): void;
  /**
   * Runs the work at this interval, in seconds, until the server stops, on every replica and never twice at a time; work that must not run on several replicas takes a
   * lock.
   */
  every(seconds: number, work: () => Promise<void>): void;
  /** Runs when the server stops, before running interval tasks are awaited. */
  onStop(work: () => void): void;
  on<Payload>(event: EventToken<Payload>, listener: (payload: Payload) => void | Promise<void>): void;
}

/** A server plugin's table of contents. Its migrations are the `.sql` files in its folder `migrations/`, in the order of their names. */
export interface ServerPlugin<Options = object> {
  readonly id: string;
  readonly title: LocalizedText;
  /** Ids of plugins that are migrated and started first, with an optional version range: `{ organization: '^1.2' }`. */
  readonly dependencies?: PluginDependencies;
  /** Ids of plugins that start first if installed; the plugin also runs without them. */
  readonly optionalDependencies?: readonly string[];
  /** Version, `1.2.3`; defaults to the kernel's. The console part declares the same. */
  readonly version?: string;
  /** Range of compatible kernel versions: `^0.1`. */
  readonly engine?: string;
  /** True if the plugin and its dependencies cannot be disabled. The console part declares the same. */
  readonly core?: boolean;
  /** Pages and buttons, written to the menu table once; later edits by administrators are preserved. */
  readonly menus?: readonly Menu[];
  /** Writes the initial rows of a new deployment; runs once, on the plugin's first start with a database. */
  seed?(context: ServerContext<Options>): Promise<void>;
  /** Raise it when `seed` writes more: `seed` runs again, and must leave existing rows and removed rows alone. */
  readonly seedVersion?: number;
  routes?(context: ServerContext<Options>): void;
  /** Runs at every start of the server, after `seed` and before the first request. */
  start?(context: ServerContext<Options>): Promise<void>;
  /** Parameters it reads; each becomes a row of the settings page. */
  readonly parameterDeclarations?: readonly Parameter[];
  /** Reads stored values of declared parameters; only one plugin of a deployment may provide it. */
  parameters?(context: Pick<ServerContext, 'db' | 'on'>): (key: string) => Promise<string | undefined>;
  /** Reads dictionary entries with their labels, for texts that the server writes; only one plugin of a deployment may provide it. */
  dictionaries?(context: Pick<ServerContext, 'db' | 'emit'>): ReadEntries;
  /** Filled by the build from the manifest, never by the plugin. */
  readonly options?: Options;
}

/** Type-checks a plugin's table of contents; a plugin with options names their type: `defineServerPlugin<typeof LampOptions>`. */
export const defineServerPlugin = <Schema = unknown>(plugin: ServerPlugin<ServerOptions<Schema>>): ServerPlugin => plugin as ServerPlugin;

/** A plugin with its SQL, as the build passes it to the server. */
export interface InstalledPlugin {
  readonly plugin: ServerPlugin;
  /** SQL by file name. */
  readonly migrations: Readonly<Record<string, string>>;
}
