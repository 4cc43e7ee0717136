import type { SQL } from 'drizzle-orm';
import type { Static, TObject, TSchema, TUnsafe } from 'typebox';
import type { Branch, Call, Crud, Entity, EventToken, FilterToken, LazyTreeCrud } from '#shared/contract';
import type { SheetCalls } from '#shared/sheet-calls';
import type { LocalizedText } from '#shared/text';
import type { FilterHandler } from '../../base/filters.ts';
import type { ServiceToken } from '../../base/services.ts';
import type { DeclaredReference } from '../../data/database/reference-registry.ts';
import type { Repository, TreeRepository } from '../../data/repository/repository.ts';
import type { FigureSource } from '../../platform/figures/figures.ts';
import type { StoreDirectory } from '../../platform/files/stores.ts';
import type { HealthSource } from '../../platform/health/health-sources.ts';
import type { Route } from '../../platform/http/route.ts';
import type { SignInMethod } from '../../platform/identity/sign-in/sign-in-methods.ts';
import type { Processor } from '../../platform/jobs/processors.ts';
import type { GaugeSource } from '../../platform/metrics/metrics.ts';
import type { ReadEntries, WriteDictionaries } from '../../platform/references/dictionary-labels.ts';
import type { SearchedFields, SearchSource } from '../../platform/search/search-sources.ts';
import type { SmsChannel } from '../../platform/sms/sms.ts';

/** Contributions of a plugin to the server, by purpose. */
export interface ServerContributions {
  readonly routes?: readonly PluginRoute[];
  /** Serves further calls of the generic screen of every running plugin, such as exports, while both plugins are enabled; a call that is served already keeps its handler. */
  screenRoutes?(screen: ServedScreen): readonly Route[];
  /** Uses of rows of any plugin that no reference field declares; a row in use cannot be deleted. */
  readonly references?: readonly DeclaredReference[];
  /** Services for other plugins, under tokens from its `server-extension.ts`; plugins find them while this one is enabled. */
  readonly services?: readonly DeclaredService[];
  readonly listeners?: readonly DeclaredListener[];
  readonly filters?: readonly DeclaredFilter[];
  readonly tasks?: readonly DeclaredTask[];
  /** Processors that jobs can run, by name; a name begins with the plugin's id. */
  readonly processors?: Readonly<Record<`${string}:${string}`, Processor>>;
  /** Lists whose records the search of the console finds, besides those of `crudRoutes` with `search`. */
  readonly searchSources?: readonly SearchSource[];
  /** Metrics on the console's first page. */
  readonly figures?: readonly FigureSource[];
  /** Metrics of the whole deployment for Prometheus, read while the plugin is enabled. */
  readonly gauges?: readonly GaugeSource[];
  /** Facts of the health screen, read while the plugin is enabled; a gauge with limits needs none. */
  readonly health?: readonly HealthSource[];
  readonly smsChannels?: readonly SmsChannel[];
  /** Sign-in methods, whose results the kernel turns into sessions. */
  readonly signInMethods?: readonly SignInMethod[];
  /** Object stores that tenants set up; only one plugin of a deployment may provide them. */
  readonly fileStores?: StoreDirectory;
  /** Reads stored values of declared parameters; only one plugin of a deployment may provide it. */
  readParameter?(key: string): Promise<string | undefined>;
  /** Reads dictionary entries with their labels, for texts that the server writes; only one plugin of a deployment may provide it. */
  readonly readDictionary?: ReadEntries;
  /** Adds the declared dictionaries that never existed; only the plugin that provides `readDictionary` may provide it. */
  readonly writeDictionaries?: WriteDictionaries;
  /** Runs at every start of the server, after `seed` and before the first request. */
  start?(): Promise<void>;
  /** Runs at every start of the server, once all plugins have started and every call is served. */
  ready?(): void | Promise<void>;
  /** Runs when the server stops, before running tasks are awaited. */
  stop?(): void | Promise<void>;
}

/** A call with its handler, or the calls of a generic screen with their repository. */
export type PluginRoute = Route | CrudRoutes;

/** Work that runs at an interval until the server stops, on every replica and never twice at a time; work that must not run on several replicas takes a lock. */
export interface DeclaredTask {
  readonly everySeconds: number;
  /** The signal is aborted when the server stops: a run of many steps ends after the current one and leaves the rest to the next start. */
  run(signal: AbortSignal): Promise<void>;
}

/** A service of a plugin under its token. */
export interface DeclaredService {
  readonly token: ServiceToken;
  readonly service: unknown;
}

/** A listener of an event. */
export interface DeclaredListener {
  readonly event: EventToken<unknown>;
  handle(payload: unknown): void | Promise<void>;
}

/** A filter that runs before an operation of another plugin. */
export interface DeclaredFilter {
  readonly filter: FilterToken<unknown>;
  readonly handle: FilterHandler<unknown>;
}

/** Import and export for BladeX-compatible clients, whose sheets have other headings. */
export interface SheetServing {
  readonly calls: SheetCalls;
  /** Fields that form the columns of an export. */
  readonly columns: Entity['fields'];
  /** Schema of an imported row. */
  readonly form: TObject;
  /** Returns the repository that adds the rows; with `covers` it updates existing ones. */
  readonly repository: (covers: boolean) => Repository<Entity, object>;
}

/** Further options for the calls of a generic screen. */
export interface CrudServing<E extends Entity = Entity> {
  /** Fields by which the search of the console finds the records of the screen; users find what they may list. */
  readonly search?: SearchedFields<E>;
  /** Condition on exported rows, if it differs from the condition of the screen's list. */
  readonly exportWhere?: () => SQL;
  /** Further path prefixes for each call, used by BladeX-compatible clients: `/api/blade-system/role`. */
  readonly pathPrefixes?: readonly string[];
  /** Calls by which BladeX-compatible clients import and export its rows. */
  readonly sheets?: SheetServing;
}

/** Routes of a generic screen, served from one repository. */
export interface CrudRoutes {
  readonly screen: ScreenCalls;
  readonly repository: Repository<Entity, object>;
  readonly options: CrudServing;
}

/** A generic screen of any plugin, to plugins that serve further calls of it. */
export interface ServedScreen {
  /** Its calls, of which it may lack some. */
  readonly crud: Crud;
  readonly repository: Repository<Entity, object>;
  /** Title of its page. */
  readonly title: LocalizedText;
  readonly exportWhere?: CrudServing['exportWhere'] | undefined;
  readonly search?: SearchedFields | undefined;
  readonly sheets?: SheetServing | undefined;
}

/** Calls of a generic screen, as far as it has them; those that the plugin serves itself may take and return something else. */
export type ScreenCalls = Pick<Crud, 'entity' | 'menu' | 'transitions'> & {
  readonly [Name in Exclude<keyof LazyTreeCrud, 'entity' | 'menu' | 'transitions'>]?: Call;
};

type FormOfScreen<Screen> = Screen extends { readonly submit: Call<infer Input> } ? Static<Input> & object : object;

/** Repository that can serve a screen: a tree repository where the list is a tree. */
export type RepositoryOfScreen<Screen extends ScreenCalls> = Screen extends { readonly list: Call<TSchema, TUnsafe<Branch<infer _>[]>> }
  ? TreeRepository<Screen['entity'], FormOfScreen<Screen>>
  : Repository<Screen['entity'], FormOfScreen<Screen>>;

/** Declares the routes of a generic screen; calls that the plugin serves with `route` take precedence. */
export function crudRoutes<Screen extends ScreenCalls>(
  screen: Screen,
  repository: RepositoryOfScreen<Screen>,
  options: CrudServing<Screen['entity']> = {},
): CrudRoutes {
  return { screen, repository, options: options as CrudServing };
}

/** Declares a list whose records the search finds: of a screen without `crudRoutes`, or with a list of its own. */
export const searchSource = <E extends Entity, Form extends object>(
  source: Omit<SearchSource, keyof SearchedFields | 'entity' | 'repository'> &
    SearchedFields<E> & { readonly entity: E; readonly repository: Repository<E, Form> },
): SearchSource => source as SearchSource;

/** Declares a service for other plugins. */
export const provide = <Service>(token: ServiceToken<Service>, service: Service): DeclaredService => ({ token, service });

/** Declares a listener of an event. */
export const listener = <Payload>(event: EventToken<Payload>, handle: (payload: Payload) => void | Promise<void>): DeclaredListener =>
  ({ event, handle }) as DeclaredListener;

/** Declares a filter of a token. */
export const filterHandler = <Value>(filter: FilterToken<Value>, handle: FilterHandler<Value>): DeclaredFilter => ({ filter, handle }) as DeclaredFilter;
