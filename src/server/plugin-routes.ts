import type { Call, Crud, Entity } from '#shared/contract';
import type { Repository, TreeRepository } from './db/repository.ts';
import type { Route } from './http/route.ts';
import type { Handler, ServeOptions } from './plugin.ts';

/** The calls one plugin answers: those it serves itself, and those of its generic screens that it leaves to their repositories. */
export class PluginRoutes {
  private readonly own: Route[] = [];
  private readonly generic: Route[] = [];

  constructor(private readonly plugin: string) {}

  serve<C extends Call>(call: C, handler: Handler<C>, options: ServeOptions = {}): void {
    this.own.push(this.routeOf(call, handler, options));
  }

  serveCrud({ list, detail, submit, remove }: Crud, repository: Repository<Entity, object>): void {
    this.generic.push(
      this.routeOf(list, ({ input }) => (isTree(repository) && !isPaged(list) ? (repository.tree(input) as never) : repository.page(input))),
      this.routeOf(detail, ({ input }) => repository.detail(input.id)),
      this.routeOf(submit, ({ input }) => repository.save(input)),
      this.routeOf(remove, async ({ input }) => {
        await repository.remove(input.ids);
        return null;
      }),
    );
  }

  /** Every route of the plugin. */
  all(): Route[] {
    return [...this.generic.filter(({ call }) => !this.own.some((one) => one.call === call)), ...this.own];
  }

  private routeOf<C extends Call>(call: C, handler: Handler<C>, options: ServeOptions = {}): Route {
    return { call, plugin: this.plugin, handler: handler as unknown as Route['handler'], ...options };
  }
}

const isPaged = ({ reply }: Call) => (reply as { type?: unknown }).type !== 'array';
const isTree = (repository: Repository<Entity, object>): repository is TreeRepository<Entity, object> => 'tree' in repository;
