import { SQL } from 'drizzle-orm';
import type { Entity } from '#shared/contract';
import type { RepositoryOptions } from '../../../data/repository/repository.ts';
import { tableOf } from '../../../data/schema/table.ts';
import { plainSql } from '../plain-sql.ts';
import { type DescribedRepository, type RepositoryHook, repositoryHooks, repositoryMethods } from '../protocol.ts';
import type { RemoteDatabase, ServerCalls } from './remote-database.ts';

type AnyOptions = RepositoryOptions<Entity, object>;

/** Repositories of a contained plugin. The server reads and writes their rows, with all of its rules, and calls back the hooks of the plugin. */
export class RemoteRepositories {
  readonly described: DescribedRepository[] = [];
  private readonly options: AnyOptions[] = [];
  private readonly numbers = new Map<unknown, number>();
  private isClosed = false;

  constructor(
    private readonly db: RemoteDatabase,
    private readonly calls: ServerCalls,
  ) {}

  /** Creates a repository while the plugin is set up. */
  create(entity: Entity, options: AnyOptions, isTree: boolean): unknown {
    if (this.isClosed) throw new Error(`Create the repository of ${entity.name} in setup: a contained plugin cannot create one later.`);
    const number = this.described.length;
    const plain = Object.fromEntries(Object.entries(options).filter(([, value]) => typeof value !== 'function'));
    const where = options.where?.();
    const hooks = repositoryHooks.filter((hook) => options[hook] !== undefined);
    this.described.push({ entity, isTree, options: plain, where: where && plainSql(where), hooks });
    this.options.push(options);
    this.db.entities.set(entity.name, entity);
    const repository = { table: tableOf(entity), ...this.methods(number) };
    this.numbers.set(repository, number);
    return repository;
  }

  /** Refuses further repositories, because the server has created these already. */
  close(): void {
    this.isClosed = true;
  }

  /** Returns the number of a repository. */
  numberOf(repository: unknown): number {
    const number = this.numbers.get(repository);
    if (number === undefined) throw new Error('A screen must be served from a repository of repositoryOf or treeRepositoryOf.');
    return number;
  }

  /** Runs a hook of a repository. */
  hook(repository: number, hook: RepositoryHook, given: readonly unknown[]): unknown {
    const options = this.options[repository] as Record<RepositoryHook, ((...given: readonly unknown[]) => unknown) | undefined>;
    return options[hook]?.(...given);
  }

  private methods(number: number): Record<string, (...given: unknown[]) => Promise<unknown>> {
    const call =
      (method: string) =>
      async (...given: unknown[]) => {
        const plain = given.map((one) => (one instanceof SQL ? { sql: plainSql(one) } : one));
        return this.calls.valueOf(await this.calls.server.repository(this.db.frame, number, method, plain));
      };
    return Object.fromEntries(repositoryMethods.map((method) => [method, call(method)]));
  }
}
