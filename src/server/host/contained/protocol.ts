import type { Call, Entity, Menu } from '#shared/contract';
import type { DeclaredDictionary } from '#shared/fields';
import type { Parameter } from '#shared/parameters';
import type { PluginDependencies } from '#shared/plugin-versions';
import type { Language, LocalizedText } from '#shared/text';
import type { HttpRequest } from '../../base/send-http.ts';
import type { Actor } from '../../data/context/actor.ts';
import type { RowShape } from '../../data/database/session.ts';
import type { SystemLogEntry } from '../../platform/audit/system-log.ts';
import type { Delivery } from '../../platform/inbox/inbox.ts';
import type { RunLevel } from '../../platform/jobs/processors.ts';
import type { PackagePorts } from '../../platform/packages/package-file.ts';
import type { Principal } from '../../platform/principal/principal.ts';
import type { SearchedFields } from '../../platform/search/search-sources.ts';
import type { ScreenCalls } from '../plugin-host/contributions.ts';
import type { PlainReply } from './plain-errors.ts';

/** A statement or a condition with its parameters. */
export interface PlainSql {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** Hooks of a repository that the plugin has. */
export const repositoryHooks = ['complete', 'beforeSave', 'beforeRemove', 'beforeArchive', 'beforeTransition', 'saved', 'transitioned', 'removed'] as const;
export type RepositoryHook = (typeof repositoryHooks)[number];

/** Methods of a repository that the plugin may call. */
export const repositoryMethods = [
  ...['page', 'list', 'find', 'detail', 'save', 'addAll', 'remove', 'restore', 'setSingleStatus', 'archive', 'unarchive', 'archived', 'recycled', 'history'],
  ...['tree', 'below', 'level', 'update', 'transition', 'count'],
] as const;

/** A repository that the plugin has created in its `setup`. */
export interface DescribedRepository {
  readonly entity: Entity;
  readonly isTree: boolean;
  /** Options without functions. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly where: PlainSql | undefined;
  readonly hooks: readonly RepositoryHook[];
}

/** A call with a handler of the plugin, or a generic screen with one of its repositories. */
export type DescribedRoute =
  | { readonly call: Call; readonly options: Readonly<Record<string, unknown>> }
  | {
      readonly screen: ScreenCalls;
      readonly repository: number;
      readonly search: SearchedFields | undefined;
      readonly exportWhere: PlainSql | undefined;
    };

/** A job processor of the plugin. */
export interface DescribedProcessor {
  readonly name: `${string}:${string}`;
  readonly declaration: Readonly<Record<string, unknown>> & { readonly title: LocalizedText; readonly help: LocalizedText };
}

/** Declarations and contributions of a plugin, as plain data. Functions stay in its process. */
export interface PluginDescription {
  readonly id: string;
  readonly title: LocalizedText;
  readonly dependencies: PluginDependencies;
  readonly optionalDependencies: readonly string[];
  readonly engine: string | undefined;
  readonly menus: readonly Menu[];
  readonly parameters: readonly Parameter[];
  readonly dictionaries: readonly DeclaredDictionary[];
  readonly seedVersion: number | undefined;
  readonly hasSeed: boolean;
  readonly repositories: readonly DescribedRepository[];
  readonly routes: readonly DescribedRoute[];
  /** Intervals of its tasks in seconds. */
  readonly tasks: readonly number[];
  readonly processors: readonly DescribedProcessor[];
  /** Names of the events that it listens to. */
  readonly events: readonly string[];
  readonly lifecycle: readonly Lifecycle[];
}

export type Lifecycle = 'start' | 'ready' | 'stop';

/** Code of a plugin and what it runs with. */
export interface PluginSource {
  readonly id: string;
  readonly source: string;
  readonly modules: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly engine: 'embedded' | 'postgres';
  readonly basePath: string;
  /** Ports that the plugin has been granted. */
  readonly ports: PackagePorts;
}

/** A request to an address outside, without functions. */
export type PlainHttpRequest = Omit<HttpRequest, 'signal'>;

/** Context in which the plugin does something: `frame` names it in the statements that belong to it. */
export interface FrameContext {
  readonly frame: number;
  /** Tenant of the transaction that the frame is in; undefined for all tenants, null outside of any. */
  readonly scope: { readonly tenantId: string | undefined } | null;
  readonly actor: Actor | undefined;
}

/** A request as a handler of a contained plugin sees it. */
export interface PlainRequest {
  readonly input: unknown;
  readonly principal: Principal;
  readonly language: Language;
  readonly origin: { readonly address: string; readonly host: string; readonly userAgent: string; readonly requestId: string };
}

/** A run of a job as its processor in a contained plugin sees it. */
export interface PlainRun {
  readonly run: number;
  readonly tenantId: string;
  readonly instanceId: string;
  readonly params: string;
  readonly instanceParams: string;
}

/** Kind of a transaction that the plugin begins; `job` is one that only commits while the run is still its worker's. */
export type TransactionKind = 'read' | 'write' | 'platform' | 'job';

/** Functions of the plugin that the server calls. */
export interface PluginFunctions {
  load(source: PluginSource): Promise<PlainReply>;
  /** Answers at once, with the size of the process in bytes. */
  ping(): Promise<number>;
  handle(context: FrameContext, route: number, request: PlainRequest): Promise<PlainReply>;
  hook(context: FrameContext, repository: number, hook: RepositoryHook, given: readonly unknown[]): Promise<PlainReply>;
  runTask(context: FrameContext, task: number): Promise<PlainReply>;
  listen(context: FrameContext, listener: number, payload: unknown): Promise<PlainReply>;
  runJob(context: FrameContext, processor: string, run: PlainRun): Promise<PlainReply>;
  seed(context: FrameContext): Promise<PlainReply>;
  lifecycle(context: FrameContext, step: Lifecycle): Promise<PlainReply>;
  /** Aborts the signal of a run. */
  abort(run: number): void;
  /** Runs what the plugin does after the transaction of a frame has committed. */
  committed(frame: number): void;
}

/** Functions of the server that the plugin calls; each names the frame that it belongs to. */
export interface ServerFunctions {
  statement(frame: number, text: string, parameters: readonly unknown[], shape: RowShape): Promise<PlainReply>;
  repository(frame: number, repository: number, method: string, given: readonly unknown[]): Promise<PlainReply>;
  /** Begins a transaction and answers the number of its frame; `tenantId` is undefined for one over all tenants, and `run` names that of a job. */
  begin(frame: number, kind: TransactionKind, tenantId: string | undefined, run: number | undefined): Promise<PlainReply>;
  /** Commits the transaction of a frame, or takes it back. */
  end(frame: number, commits: boolean): Promise<PlainReply>;
  lock(frame: number, name: string): Promise<PlainReply>;
  /** Asks for `committed` once the transaction of the frame has committed. */
  expectCommit(frame: number): Promise<PlainReply>;
  parameter(frame: number, key: string, tenantId: string | undefined): Promise<PlainReply>;
  emit(frame: number, event: string, payload: unknown): Promise<PlainReply>;
  log(entry: SystemLogEntry): void;
  jobLog(run: number, level: RunLevel, text: string): void;
  jobSecret(run: number): Promise<PlainReply>;
  deliver(frame: number, delivery: Delivery): Promise<PlainReply>;
  sendHttp(url: string, request: PlainHttpRequest): Promise<PlainReply>;
}
