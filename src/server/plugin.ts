import type { Static, TSchema } from 'typebox';
import type { Call, Crud, Entity, EventToken, InputOf, Menu, ReplyOf, TreeCrud } from '#shared/contract';
import type { Language, Words } from '#shared/text';
import type { Principal } from './auth/principal.ts';
import type { Database } from './db/database.ts';
import type { Repository, TreeRepository } from './db/repository.ts';
import type { Parameters } from './parameters.ts';

/** One request as a handler sees it: already identified, admitted, validated and inside its tenant. */
export interface CallRequest<C extends Call = Call> {
  readonly input: InputOf<C>;
  readonly principal: Principal;
  readonly language: Language;
}

/** Answers a call with what its contract promises, or throws a `Refusal`. GET runs in `read`, POST in `write`. */
export type Handler<C extends Call> = (request: CallRequest<C>) => Promise<ReplyOf<C>> | ReplyOf<C>;

/** How a handler differs from the usual one. */
export interface ServeOptions {
  /** It opens its own transactions, since it waits for the network or computes at length between them. Its writes are then neither logged with their changes nor kept from being done twice. */
  readonly ownTransactions?: boolean;
}

/** A list that is a tree needs a repository that is one. */
export interface ServeCrud {
  <E extends Entity, Input extends TSchema>(crud: TreeCrud<E, Input>, repository: TreeRepository<E, Static<Input> & object>): void;
  <E extends Entity, Input extends TSchema>(crud: Crud<E, Input>, repository: Repository<E, Static<Input> & object>): void;
}

/** What a plugin on the server is lent. */
export interface ServerContext {
  readonly db: Database;
  readonly parameters: Parameters;
  serve<C extends Call>(call: C, handler: Handler<C>, options?: ServeOptions): void;
  /** Serves list, detail, submit and remove of a generic screen from one repository; any of them the plugin serves itself, before or after, is left to it. */
  serveCrud: ServeCrud;
  /** Emitted once the transaction has committed. */
  emit<Payload>(event: EventToken<Payload>, payload: Payload): void;
  on<Payload>(event: EventToken<Payload>, listener: (payload: Payload) => void | Promise<void>): void;
}

/** A server plugin's table of contents. Its migrations are the `.sql` files in its folder `migrations/`, in the order of their names. */
export interface ServerPlugin {
  readonly id: string;
  readonly title: Words;
  /** Ids of plugins migrated and started first. */
  readonly needs?: readonly string[];
  /** Pages and buttons, written to the menu table once; later edits by administrators stay. */
  readonly menus?: readonly Menu[];
  /** Rows a new deployment begins with; runs once, when the plugin first meets this database. */
  seed?(context: ServerContext): Promise<void>;
  routes?(context: ServerContext): void;
  /** Gives known parameters their stored values; one plugin of a deployment may. */
  parameters?(context: Pick<ServerContext, 'db' | 'on'>): (key: string) => Promise<string | undefined>;
}

export const defineServerPlugin = (plugin: ServerPlugin): ServerPlugin => plugin;

/** A plugin with the SQL that came with it, as the build hands it to the server. */
export interface InstalledPlugin {
  readonly plugin: ServerPlugin;
  /** File name → SQL. */
  readonly migrations: Readonly<Record<string, string>>;
}
