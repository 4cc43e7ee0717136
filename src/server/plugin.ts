import type { Readable } from 'node:stream';
import type { SQL } from 'drizzle-orm';
import type { Static, TSchema } from 'typebox';
import type { Call, Crud, Entity, EventToken, FilterToken, InputOf, Menu, ReplyOf, TreeCrud } from '#shared/contract';
import type { EntityExtension } from '#shared/entity-extension';
import type { ServerOptions } from '#shared/options';
import type { Needs } from '#shared/plugin-fit';
import type { Language, Words } from '#shared/text';
import type { Journal } from './audit/journal.ts';
import type { Passwords } from './auth/passwords.ts';
import type { Principal } from './auth/principal.ts';
import type { Database } from './db/database.ts';
import type { Repository, TreeRepository } from './db/repository.ts';
import type { Egress } from './egress/egress.ts';
import type { FigureSource } from './figures/figures.ts';
import type { Files } from './files/files.ts';
import type { FilterHandler } from './filters.ts';
import type { Inbox } from './inbox/inbox.ts';
import type { Processors } from './jobs/processors.ts';
import type { Live } from './live/live.ts';
import type { Parameters } from './parameters.ts';
import type { Explanations } from './permission/explanations.ts';
import type { ServiceToken } from './services.ts';
import type { Sms } from './sms/sms.ts';
import type { PluginFacts } from './switches/plugin-facts.ts';
import type { PluginSwitches } from './switches/plugin-switches.ts';
import type { ReadEntries } from './transfers/dictionary-words.ts';
import type { ExportOrders } from './transfers/orders.ts';
import type { SheetServing } from './transfers/targets.ts';

/** A file on its way in; it is read once, and before the call is answered. */
export interface Upload {
  /** The user's name for it. */
  readonly name: string;
  readonly content: Readable;
}

/** One request as a handler sees it: already identified, admitted, validated and inside its tenant. */
export interface CallRequest<C extends Call = Call> {
  readonly input: InputOf<C>;
  readonly principal: Principal;
  readonly language: Language;
  /** Given where the call takes one. */
  readonly upload?: Upload | undefined;
  /** A header's text, '' when absent; given where the call takes its body as it came. */
  readonly header?: ((name: string) => string) | undefined;
}

/** What was prepared for a request before its transaction began. */
export interface Prepared<Value> {
  readonly prepared: Value;
}

/** Answers a call with what its contract promises, or throws a `Refusal`. GET runs in `read`, POST in `write`. */
export type Handler<C extends Call> = (request: CallRequest<C>) => Promise<ReplyOf<C>> | ReplyOf<C>;

/** How a handler differs from the usual one. */
export interface ServeOptions<C extends Call = Call, Value = undefined> {
  /** Done before the transaction begins: what takes long, a password to hash. Its outcome is handed to the handler. */
  readonly prepare?: (request: CallRequest<C>) => Promise<Value>;
  /** The reply tells a secret and is kept nowhere: whoever sends the same request again is told that it was done. */
  readonly tellsSecret?: boolean;
  /** It opens its own transactions, since it waits for the network or computes at length between them. Its writes are then neither logged with their changes nor kept from being done twice. */
  readonly ownTransactions?: boolean;
  /** Answered under these addresses too, where clients of the family differ. */
  readonly aliases?: readonly string[];
}

/** How the calls of a generic screen are served besides. */
export interface CrudServing {
  /** Narrows exports as the list on screen is narrowed, where that is not the screen's own. */
  readonly exported?: () => SQL;
  /** Paths under which each call is answered too, where clients of the family differ: `/api/blade-system/role`. */
  readonly also?: readonly string[];
  /** The calls by which clients of the family bring its rows in and out. */
  readonly sheets?: SheetServing;
}

/** A generic screen whose rows come from no sheet. */
type WithoutImport<C extends Crud<Entity, TSchema>> = Omit<C, 'import' | 'importTemplate' | 'importPreview' | 'importMapping'>;

/** A list that is a tree needs a repository that is one. */
export interface ServeCrud {
  <E extends Entity, Input extends TSchema>(
    crud: WithoutImport<Crud<E, Input>>,
    repository: Repository<E, Static<Input> & object>,
    serving?: CrudServing,
  ): void;
  <E extends Entity, Input extends TSchema>(crud: TreeCrud<E, Input>, repository: TreeRepository<E, Static<Input> & object>, serving?: CrudServing): void;
  <E extends Entity, Input extends TSchema>(crud: Crud<E, Input>, repository: Repository<E, Static<Input> & object>, serving?: CrudServing): void;
}

/** What a plugin on the server is lent. */
export interface ServerContext<Options = object> {
  /** What the deployment has settled about the plugin, as its `options.ts` declares it. */
  readonly options: Options;
  readonly db: Database;
  readonly parameters: Parameters;
  /** Tells consoles what has happened. */
  readonly live: Live;
  /** Keeps files; whoever gives a link to one has made sure that the asker may have it. */
  readonly files: Files;
  /** The way out to addresses somebody typed. */
  readonly egress: Egress;
  /** Tells users what they find in the top bar. */
  readonly inbox: Inbox;
  /** Notes in the usual log what the plugin does unasked. */
  readonly journal: Journal;
  /** Sends codes to phones; a plugin may give it a channel. */
  readonly sms: Sms;
  /** What is told on the first page of the console: a plugin gives its own figures, and the one that shows them reads all. */
  readonly figures: { give(...sources: readonly FigureSource[]): void; all(): readonly FigureSource[] };
  /** Exports lists of any plugin for somebody, into their download centre. */
  readonly exports: Pick<ExportOrders, 'fulfil'>;
  /** What jobs can do; a plugin adds what it can. */
  readonly jobs: Processors;
  /** Says why somebody may do something, or why not. */
  readonly explanations: Pick<Explanations, 'of' | 'entries' | 'calls' | 'titleOf' | 'titled'>;
  /** Every plugin of the deployment, which are switched off, and another chance for one that failed at each start. */
  readonly plugins: { all(): readonly PluginFacts[]; readonly switches: PluginSwitches; retry(id: string): Promise<void> };
  /** The id of the client this deployment's own console signs in with. */
  readonly consoleClient: string;
  /** Codes of pages and buttons that no tenant but the platform's own ever has; ask when a request is answered, for plugins start one after the other. */
  platformOnly(): ReadonlySet<string>;
  /** Reads and hashes passwords; hash them in `prepare`, never inside a transaction. */
  readonly passwords: Pick<Passwords, 'read' | 'hash'>;
  serve<C extends Call, Value = undefined>(
    call: C,
    handler: (request: CallRequest<C> & Prepared<Value>) => ReturnType<Handler<C>>,
    options?: ServeOptions<C, Value>,
  ): void;
  /** Serves the calls of a generic screen from one repository; any of them the plugin serves itself, before or after, is left to it. */
  serveCrud: ServeCrud;
  /** Adds fields to the rows of another plugin, and asks more of what is written of them, as long as the plugin is on. */
  extend(extension: EntityExtension): void;
  /** Whoever copies rows of its own has what other plugins have added to them copied as well, in the transaction under way. */
  copyAdded(entity: Entity, from: string, to: string): Promise<void>;
  /** Lends other plugins a service under a token of one's `server-extension.ts`, as long as the plugin is on. */
  share<Service>(token: ServiceToken<Service>, service: Service): void;
  /** What a plugin that is needed shares. */
  get<Service>(token: ServiceToken<Service>): Service;
  /** What another plugin shares, or nothing where it does not run or is off: ask each time. */
  find<Service>(token: ServiceToken<Service>): Service | undefined;
  /** Has its say before what another plugin is about to do. */
  filter<Value>(filter: FilterToken<Value>, handle: FilterHandler<Value>): void;
  /** Asks everybody who filters this, in the transaction under way; answers with what it is to be done with. */
  applyFilters<Value>(filter: FilterToken<Value>, value: Value): Promise<Value>;
  /** Emitted once the transaction has committed. */
  emit<Payload>(event: EventToken<Payload>, payload: Payload): void;
  /** Does this every so many seconds until the server stops, on every replica, one run after the other; whoever minds takes a lock. */
  every(seconds: number, work: () => Promise<void>): void;
  /** Done when the server stops, before what is done every so often is waited for. */
  onStop(work: () => void): void;
  on<Payload>(event: EventToken<Payload>, listener: (payload: Payload) => void | Promise<void>): void;
}

/** A server plugin's table of contents. Its migrations are the `.sql` files in its folder `migrations/`, in the order of their names. */
export interface ServerPlugin<Options = object> {
  readonly id: string;
  readonly title: Words;
  /** Ids of plugins migrated and started first, with a range of their versions where it matters: `{ organization: '^1.2' }`. */
  readonly needs?: Needs;
  /** Ids of plugins that start first where they are there; it runs without them too. */
  readonly wants?: readonly string[];
  /** `1.2.3`; the kernel's unless said. The console's half says the same. */
  readonly version?: string;
  /** A range of the kernel's versions it works with: `^0.1`. */
  readonly engine?: string;
  /** Cannot be switched off; nor can what it needs. The console’s half says the same. */
  readonly core?: boolean;
  /** Pages and buttons, written to the menu table once; later edits by administrators stay. */
  readonly menus?: readonly Menu[];
  /** Rows a new deployment begins with; runs once, when the plugin first meets this database. */
  seed?(context: ServerContext<Options>): Promise<void>;
  /** Grows when `seed` brings more: it runs again, and leaves alone what is there and what people took away. */
  readonly seedVersion?: number;
  routes?(context: ServerContext<Options>): void;
  /** Gives known parameters their stored values; one plugin of a deployment may. */
  parameters?(context: Pick<ServerContext, 'db' | 'on'>): (key: string) => Promise<string | undefined>;
  /** Gives the entries of dictionaries in words, for whatever the server writes for people; one plugin of a deployment may. */
  dictionaries?(context: Pick<ServerContext, 'db' | 'emit'>): ReadEntries;
  /** Put in by the build from the manifest, never by the plugin. */
  readonly options?: Options;
}

/** Checks a plugin's table of contents where it is written; one that has options names them: `defineServerPlugin<typeof LampOptions>`. */
export const defineServerPlugin = <Schema = unknown>(plugin: ServerPlugin<ServerOptions<Schema>>): ServerPlugin => plugin as ServerPlugin;

/** A plugin with the SQL that came with it, as the build hands it to the server. */
export interface InstalledPlugin {
  readonly plugin: ServerPlugin;
  /** File name → SQL. */
  readonly migrations: Readonly<Record<string, string>>;
}
