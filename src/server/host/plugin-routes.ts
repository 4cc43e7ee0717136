import type { Call, Crud, Entity, LazyTreeCrud, ListQuery, Menu } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import type { Repository, TreeRepository } from '../data/repository/repository.ts';
import { type KernelRequest, type Route, route, type ServeOptions } from '../platform/http/route.ts';
import { crudTransferRoutes } from '../platform/transfers/routes.ts';
import { sheetRoutes } from '../platform/transfers/sheet-routes.ts';
import type { Transfers } from '../platform/transfers/transfers.ts';
import type { CrudServing } from './plugin.ts';

/** Collects the routes of one plugin: calls with their own handler, and calls of generic screens served by repositories. */
export class PluginRoutes {
  private readonly own: Route[] = [];
  private readonly generic: Route[] = [];
  /** Calls of generic screens, regardless of their handler. */
  private readonly rows = new Map<Call, NonNullable<Route['rows']>>();

  constructor(
    private readonly plugin: string,
    private readonly transfers: Transfers,
    /** Pages of the plugin. */
    private readonly menus: readonly Menu[] = [],
  ) {}

  serve<C extends Call>(call: C, handler: Route<C>['handler'], options: ServeOptions<C, unknown> & Pick<Route, 'limit'> = {}): void {
    this.own.push(this.routeOf(call, handler, options));
  }

  serveCrud(crud: Crud & Partial<Pick<LazyTreeCrud, 'lazy'>>, repository: Repository<Entity, object>, { exported, also = [], sheets }: CrudServing = {}): void {
    const before = this.generic.length;
    const { list, detail, submit, remove, restore, bulkSubmit, lazy } = crud;
    for (const call of [list, detail, lazy]) if (call) this.rows.set(call, { entity: crud.entity, saves: false });
    if ((submit?.reply as { entity?: string } | undefined)?.entity === crud.entity.name) this.rows.set(submit, { entity: crud.entity, saves: true });
    const own = [
      this.routeOf<Call<typeof ListQuery>>(list, ({ input }) => (isTree(repository) && !isPaged(list) ? repository.tree(input) : repository.page(input))),
      this.routeOf(detail, ({ input }) => repository.detail(input.id)),
      this.routeOf(submit, ({ input }) => repository.save(input)),
      this.routeOf(remove, ({ input }) => repository.remove(input.ids)),
      this.routeOf(restore, ({ input }) => repository.restore(input.ids)),
      this.routeOf(bulkSubmit, (request: KernelRequest<Crud['bulkSubmit']>) => this.submitEach(submit, request)),
    ];
    // A screen may lack some of its calls.
    this.generic.push(...own.filter(({ call }) => call !== undefined));
    const title = this.menus.find(({ code }) => code === crud.menu)?.title ?? [crud.entity.name, crud.entity.name];
    const target = { crud, entity: crud.entity, repository, title, exported };
    this.generic.push(...crudTransferRoutes(this.plugin, target, this.transfers).filter(({ call }) => call !== undefined));
    if (lazy && isTree(repository)) this.generic.push(this.routeOf<Call<typeof ListQuery>>(lazy, ({ input }) => repository.level(input)));
    if (sheets) this.own.push(...sheetRoutes(this.plugin, target, sheets, this.transfers));
    for (const [place, one] of this.generic.entries()) if (place >= before) this.generic[place] = { ...one, aliases: aliasesOf(one.call, also) };
  }

  /** Returns every route of the plugin. */
  all(): Route[] {
    const routes = [...this.generic.filter(({ call }) => !this.own.some((one) => one.call === call)), ...this.own];
    return routes.map((one) => ({ ...one, rows: this.rows.get(one.call) }));
  }

  /** Submits each row in turn through the handler of `submit`, so that every check of a single row also applies to bulk edits. */
  private async submitEach(submit: Call, request: KernelRequest<Crud['bulkSubmit']>): Promise<{ count: number }> {
    const { ids, values } = request.input;
    if (Object.keys(values).length === 0) throw new ApiError(problems.badRequest);
    const one = this.all().find(({ call }) => call === submit);
    for (const id of new Set(ids)) await one?.handler({ ...request, input: { ...values, id } });
    return { count: new Set(ids).size };
  }

  private routeOf<C extends Call>(call: C, handler: Route<C>['handler'], options: ServeOptions<C, unknown> = {}): Route {
    return route(call, handler, { plugin: this.plugin, ...(options as ServeOptions) });
  }
}

const aliasesOf = ({ path }: Call, folders: readonly string[]) =>
  folders.map((folder) => `${folder}${path.slice(path.lastIndexOf('/'))}`).filter((address) => address !== path);
const isPaged = ({ reply }: Call) => (reply as { type?: unknown }).type !== 'array';
const isTree = (repository: Repository<Entity, object>): repository is TreeRepository<Entity, object> => 'tree' in repository;
