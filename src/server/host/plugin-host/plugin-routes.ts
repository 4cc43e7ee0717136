import type { Call, Crud, Entity, LazyTreeCrud, ListQuery, Menu, ReplyOf } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import type { HistoryEntry, HistoryPage } from '#shared/history-schemas';
import { type Language, type LocalizedText, localize } from '#shared/text';
import type { Database } from '../../data/database/database.ts';
import { type BatchRefusal, batchResult, inSavepoint, isRefusal, runBatch } from '../../data/repository/batch.ts';
import type { Repository, TreeRepository } from '../../data/repository/repository.ts';
import { RowConflict, transitionNamed } from '../../data/repository/row-conflict.ts';
import { type KernelRequest, type Route, route } from '../../platform/http/route.ts';
import type { CrudRoutes } from './contributions.ts';
import { aliasesOf, type DeclaredScreen } from './served-screens.ts';

/** Collects the routes of one plugin: calls with their own handler, and calls of generic screens served by repositories. */
export class PluginRoutes {
  private readonly own: Route[] = [];
  private readonly generic: Route[] = [];
  /** Calls of generic screens, regardless of their handler. */
  private readonly rows = new Map<Call, NonNullable<Route['rows']>>();
  /** Generic screens, for plugins that serve further calls of them. */
  readonly screens: DeclaredScreen[] = [];

  constructor(
    private readonly plugin: string,
    private readonly db: Database,
    /** Pages of the plugin. */
    private readonly menus: readonly Menu[] = [],
    /** Returns the title of a call by its path. */
    private readonly callTitle: (method: string, path: string) => LocalizedText | undefined = () => undefined,
  ) {}

  add(declared: Route | CrudRoutes): void {
    if ('screen' in declared) this.addScreen(declared);
    else this.own.push(declared);
  }

  private addScreen({ screen, repository, options: { exportWhere, pathPrefixes = [], search, sheets } }: CrudRoutes): void {
    const crud = screen as Crud & Pick<Partial<LazyTreeCrud>, 'lazy'>;
    const before = this.generic.length;
    const { list, detail, submit, bulkSubmit, lazy, archived, recycled } = crud;
    for (const call of [list, detail, lazy, archived, recycled]) if (call) this.rows.set(call, { entity: crud.entity, saves: false });
    if ((submit?.reply as { entity?: string } | undefined)?.entity === crud.entity.name) this.rows.set(submit, { entity: crud.entity, saves: true });
    const own = [
      route<Call<typeof ListQuery>>(list, ({ input }) => (isTree(repository) && !isPaged(list) ? repository.tree(input) : repository.page(input))),
      route(detail, ({ input }) => repository.detail(input.id)),
      route(submit, ({ input }) => repository.save(input)),
      ...removalRoutes(this.db, crud, repository),
      route(bulkSubmit, (request: KernelRequest<Crud['bulkSubmit']>) => this.submitEach(crud.entity, submit, request)),
      ...transitionRoutes(this.db, crud, repository),
      ...(crud.history ? [route(crud.history, (request) => this.historyOf(detail, repository, request))] : []),
    ];
    // A screen may lack some of its calls.
    this.generic.push(...own.filter(({ call }) => call !== undefined));
    const title = this.menus.find(({ code }) => code === crud.menu)?.title ?? [crud.entity.name, crud.entity.name];
    this.screens.push({ plugin: this.plugin, pathPrefixes, screen: { crud, repository, title, exportWhere, search, sheets } });
    if (lazy && isTree(repository)) this.generic.push(route<Call<typeof ListQuery>>(lazy, ({ input }) => repository.level(input)));
    for (const [index, one] of this.generic.entries()) if (index >= before) this.generic[index] = { ...one, aliases: aliasesOf(one.call, pathPrefixes) };
  }

  /** Returns every route of the plugin. */
  all(): Route[] {
    const routes = [...this.generic.filter(({ call }) => !this.own.some((one) => one.call === call)), ...this.own];
    return routes.map((one) => ({ ...one, plugin: this.plugin, rows: this.rows.get(one.call) }));
  }

  /** Reads the history of a row; if the plugin serves the detail call itself, its checks apply as well. */
  private async historyOf(
    detail: Call | undefined,
    repository: Repository<Entity, object>,
    request: KernelRequest<NonNullable<Crud['history']>>,
  ): Promise<HistoryPage> {
    const own = this.own.find(({ call }) => call === detail);
    await own?.handler({ ...request, input: { id: request.input.id } });
    const { records, next } = await repository.history(request.input);
    return { records: records.map((entry) => ({ ...entry, title: this.titleOf(entry, request.language) })), next };
  }

  private titleOf({ method, path }: Pick<HistoryEntry, 'method' | 'path'>, language: Language): string | null {
    const title = method !== null && path !== null ? this.callTitle(method, path) : undefined;
    return title ? localize(title, language) : null;
  }

  /** Submits each row in turn through the handler of `submit`, so that every check of a single row also applies to bulk edits. */
  private async submitEach(entity: Entity, submit: Call, request: KernelRequest<Crud['bulkSubmit']>): Promise<ReplyOf<Crud['bulkSubmit']>> {
    const { values, versions = {}, partial = false } = request.input;
    const ids = [...new Set(request.input.ids)];
    if (Object.keys(values).length === 0) throw new ApiError(problems.badRequest);
    const submitRoute = this.all().find(({ call }) => call === submit);
    const stale: StaleReplyRow[] = [];
    const refusals: BatchRefusal[] = [];
    for (const id of ids) {
      const version = Object.hasOwn(versions, id) ? { version: versions[id] } : {};
      try {
        const work = async () => submitRoute?.handler({ ...request, input: { ...values, id, ...version } });
        await (partial ? inSavepoint(this.db, work) : work());
      } catch (error) {
        if (error instanceof RowConflict) stale.push({ id, changedBy: error.data.changedBy, changedAt: error.data.changedAt });
        else if (partial && ids.length > 1 && isRefusal(error)) refusals.push({ id, error });
        else throw error;
      }
    }
    // A value that no row accepts concerns the request.
    if (refusals.length === ids.length && refusals[0]?.error.field !== undefined) throw refusals[0].error;
    const count = ids.length - stale.length - refusals.length;
    const result = partial ? { ...(await batchResult(this.db, entity, ids, { refusals, language: request.language })), done: count } : {};
    return { count, ...(request.input.versions ? { stale } : {}), ...result };
  }
}

/** Routes the changes of states. */
function transitionRoutes(db: Database, { entity, transitions = {} }: Crud, repository: Repository<Entity, object>): Route[] {
  return Object.entries(transitions).map(([name, call]) => {
    const { fields = [] } = transitionNamed(entity, name);
    return route(call, (request) => {
      const input: Readonly<Record<string, unknown>> = request.input;
      const values = Object.fromEntries(fields.map((field) => [field, input[field]]));
      return runBatch(db, entity, request, (ids) => repository.transition(name, ids, values));
    });
  });
}

/** Routes the calls that take rows out of the list and bring them back. */
function removalRoutes(db: Database, crud: Crud, repository: Repository<Entity, object>): Route[] {
  const { remove, restore, recycled, archive, unarchive, archived } = crud;
  return [
    route(remove, (request) => runBatch(db, crud.entity, request, (ids) => repository.remove(ids))),
    route(restore, ({ input }) => repository.restore(input.ids)),
    ...(recycled ? [route(recycled, ({ input }) => repository.recycled(input))] : []),
    ...(archive ? [route(archive, ({ input }) => repository.archive(input.ids))] : []),
    ...(unarchive ? [route(unarchive, ({ input }) => repository.unarchive(input.ids))] : []),
    ...(archived ? [route(archived, ({ input }) => repository.archived(input))] : []),
  ];
}

type StaleReplyRow = NonNullable<ReplyOf<Crud['bulkSubmit']>['stale']>[number];

const isPaged = ({ reply }: Call) => (reply as { type?: unknown }).type !== 'array';
const isTree = (repository: Repository<Entity, object>): repository is TreeRepository<Entity, object> => 'tree' in repository;
