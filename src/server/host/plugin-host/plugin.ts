import type { EventToken, FilterToken, Menu, WebhookEvent } from '#shared/contract';
import type { EntityExtension } from '#shared/entity-extension';
import type { DeclaredDictionary } from '#shared/fields';
import type { ServerOptions } from '#shared/options';
import type { Parameter } from '#shared/parameters';
import type { PluginDependencies } from '#shared/plugin-versions';
import type { LocalizedText } from '#shared/text';
import type { FilesBucketConfiguration } from '../../base/configuration/files-bucket.ts';
import type { Egress } from '../../base/egress.ts';
import type { Parameters } from '../../base/parameters.ts';
import type { ServiceToken } from '../../base/services.ts';
import type { Database } from '../../data/database/database.ts';
import type { SystemLog } from '../../platform/audit/system-log.ts';
import type { SealedTable } from '../../platform/evidence/sealed-table.ts';
import type { Files } from '../../platform/files/files.ts';
import type { Inbox } from '../../platform/inbox/inbox.ts';
import type { Mail, MailKind } from '../../platform/inbox/mail.ts';
import type { Live } from '../../platform/live/live.ts';
import type { PluginCalls } from '../../platform/metrics/metrics.ts';
import type { PersonalRecords } from '../../platform/personal/personal-records.ts';
import type { Sms } from '../../platform/sms/sms.ts';
import type { Webhooks } from '../../platform/webhooks/webhooks.ts';
import type { ServerContributions } from './contributions.ts';

/** The deployment a plugin runs in, under `get(Deployment)`. Its lists are complete once all plugins have started: read them while answering a request. */
export abstract class Deployment {
  /** Id of the client that this deployment's own console signs in with. */
  abstract readonly consoleClient: string;
  /** False if the deployment wants no sample rows. */
  abstract readonly hasSamples: boolean;
  /** Bucket for new files of tenants that have not selected a store; undefined for the data directory. */
  abstract readonly filesBucket: FilesBucketConfiguration | undefined;
  abstract plugins(): readonly PluginFacts[];
  /** Starts a crash-looping plugin again at the next start of a server. */
  abstract retry(pluginId: string): Promise<void>;
  /** Counts the uncaught errors of each plugin in the last seven days. */
  abstract strayErrors(): Promise<ReadonlyMap<string, number>>;
  /** Parameters of the kernel and of running plugins. */
  abstract parameters(): readonly Parameter[];
  /** Codes of pages and buttons reserved for the platform tenant. */
  abstract platformOnlyCodes(): ReadonlySet<string>;
}

/** Services available to a server plugin; `get` returns the further ones of the kernel, such as `Deployment`, `Passwords` and `Explanations`, by their class. */
export interface ServerContext<Options = object> {
  /** Options of the plugin as set by the deployment and declared in its `options.ts`. */
  readonly options: Options;
  readonly db: Database;
  readonly parameters: Parameters;
  /** Stores files; a caller that creates a link must have checked access to the file. */
  readonly files: Files;
  /** Path of the console on its host, without a slash at its end; '' for the root. Links that leave the console need it, such as those of e-mails. */
  readonly basePath: string;
  /** HTTP client for addresses entered by users. */
  readonly egress: Egress;
  /** Writes the plugin's background events to the system log. */
  readonly systemLog: SystemLog;
  /** Sends live events to consoles. */
  readonly live: Live;
  /** Sends users notifications for the inbox in the top bar. */
  readonly inbox: Inbox;
  /** Sends users e-mails of the kinds that plugins declare. */
  readonly mail: Mail;
  /** Sends codes and notices to phones. */
  readonly sms: Sms;
  /** Sends events that plugins declare to servers of tenants. */
  readonly webhooks: Webhooks;
  /** Runs work that belongs to no request, such as a run of a job, in a trace of its own, with these fields in its log lines. */
  inBackground<Result>(name: string, fields: Readonly<Record<string, string>>, run: () => Promise<Result>): Promise<Result>;
  /** Derives keys of this plugin for one purpose from the deployment's secrets: the first one signs, and all of them verify, so that secrets can be exchanged. */
  secretKeys(purpose: string): readonly [current: Uint8Array, ...fallbacks: Uint8Array[]];
  /** Returns a service of the kernel or of a plugin declared as a dependency. */
  get<Service>(token: ServiceToken<Service>): Service;
  /** Returns the service of another plugin, or undefined if that plugin does not run or is disabled; call it on each use. */
  find<Service>(token: ServiceToken<Service>): Service | undefined;
  /** Delivers the event once the transaction has committed. */
  emit<Payload>(event: EventToken<Payload>, payload: Payload): void;
  /** Runs every filter of a token in the current transaction and returns the resulting value. */
  applyFilters<Value>(filter: FilterToken<Value>, value: Value): Promise<Value>;
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
  /** Parameters it reads; each becomes a row of the settings page. */
  readonly parameters?: readonly Parameter[];
  /** Dictionaries of its fields. Each is written once; a changed or deleted one stays as it is. */
  readonly dictionaries?: readonly DeclaredDictionary[];
  /** Kinds of e-mail it sends, and topics of its notifications. */
  readonly mailKinds?: readonly MailKind[];
  /** Events that it sends to servers of tenants. */
  readonly webhookEvents?: readonly WebhookEvent[];
  /** Tables of rows that are written once, such as those of money: later changes in the database are found. */
  readonly sealedTables?: readonly SealedTable[];
  /** Rows that it holds about people, for the export and the erasure of a person. */
  readonly personalData?: readonly PersonalRecords[];
  /** Fields and validation rules that it adds to the rows of other plugins while it is enabled. */
  readonly extensions?: readonly EntityExtension[];
  /** Writes the initial rows of a new deployment; runs once, on the plugin's first start with a database. */
  seed?(context: ServerContext<Options>): Promise<void>;
  /** Raise it when `seed` writes more: `seed` runs again, and must leave existing rows and removed rows alone. */
  readonly seedVersion?: number;
  /** Builds the plugin's services and returns what it contributes; it neither writes nor starts anything, so that a test can list the contributions. */
  setup?(context: ServerContext<Options>): ServerContributions;
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
  /** Process of a contained plugin; undefined for one that runs inside the server. */
  readonly process?: { readonly bytes: number; stop(): void };
}

/** A plugin of the deployment, with the contributions that pause while it is disabled. */
export interface PluginFacts {
  readonly plugin: ServerPlugin;
  /** Reason why it does not run on this replica. */
  readonly skippedReason: LocalizedText | undefined;
  /** True if it is crash-looping and no longer started. */
  readonly isCrashLooping: boolean;
  /** Titles of its job processors. */
  readonly jobs: readonly LocalizedText[];
  /** Number of its interval tasks. */
  readonly taskCount: number;
  /** Names of its filters. */
  readonly filters: readonly string[];
  /** Names of the services it provides, and of those it uses. */
  readonly providedServices: readonly string[];
  readonly usedServices: readonly string[];
  /** Fields it adds to rows of other plugins, by entity. */
  readonly fields: readonly string[];
  /** Fields of other plugins for which it adds rules. */
  readonly rules: readonly string[];
  /** Tables that its migrations create. */
  readonly tables: readonly string[];
  /** Milliseconds that its last start took on this server; undefined if it does not run. */
  readonly startMilliseconds: number | undefined;
  /** Calls that this server has answered since its start. */
  readonly calls: PluginCalls;
  /** Size of the process of a contained plugin in bytes, 0 while it does not run; undefined for one that runs inside the server. */
  readonly processBytes: number | undefined;
}
