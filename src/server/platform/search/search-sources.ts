import { type SQL, sql } from 'drizzle-orm';
import type { Call, Entity, RowOf } from '#shared/contract';
import { snakeCase } from '#shared/text';
import type { Log } from '../../base/log.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows, textArray } from '../../data/database/rows.ts';
import type { Repository } from '../../data/repository/repository.ts';

/** Fields by which the global search finds the records of a generic screen. */
export interface SearchedFields<E extends Entity = Entity> {
  /** Text fields that are searched; the first is the title of a result. */
  readonly fields: readonly (keyof E['fields'] & string)[];
  /** Fields that distinguish results with the same title, such as the advertiser of a task. */
  readonly subtitle?: readonly (keyof E['fields'] & string)[];
  /** Actions that the search offers for a record, by the code of their button on the page: for every record, or for those that meet the condition. Users need the code. */
  readonly actions?: Readonly<Record<string, true | ((row: RowOf<E>) => boolean)>>;
  /** Condition on the records, if the list of the screen shows fewer rows than its repository contains. */
  readonly where?: () => SQL;
}

/** A generic screen whose records the global search finds. */
export interface SearchSource extends SearchedFields {
  readonly entity: Entity;
  /** Code of the page. */
  readonly menu: string;
  /** List call of the screen; users who may call it find its records. */
  readonly list: Call;
  readonly repository: Repository<Entity, object>;
}

/** A source with the indexed columns of its entity. */
export interface IndexedSource extends SearchSource {
  readonly id: number;
  /** Indexed columns of all screens of the entity; the index of a column is the number of its field in the search terms. */
  readonly columns: readonly string[];
}

/** Number of older rows that one step of `complete` indexes. A row takes half a millisecond, in which an embedded database answers nothing else. */
const rowsPerStep = { embedded: 20, postgres: 1000 } as const;

/** Sources of the global search. Triggers keep the search terms of their tables up to date. */
export class SearchSources {
  private sources: readonly IndexedSource[] = [];
  private isStopped = false;
  private work: Promise<void> = Promise.resolve();

  constructor(
    private readonly db: Database,
    private readonly log: Log,
  ) {}

  get all(): readonly IndexedSource[] {
    return this.sources;
  }

  /** Registers sources and creates the triggers of their tables; `complete` indexes existing rows. */
  async register(sources: readonly SearchSource[]): Promise<void> {
    const columns = new Map<string, string[]>();
    for (const { entity, fields } of sources) columns.set(entity.name, [...new Set([...(columns.get(entity.name) ?? []), ...fields])].sort());
    const ids = await this.db.asPlatform('declares the tables with search terms', async () => {
      await this.db.lock('search sources');
      for (const [name, fields] of columns) {
        const owner = sources.find(({ entity }) => entity.name === name)?.entity.owner ?? 'tenant';
        await this.db.sql.execute(sql`call keep_search_terms(${name}, ${owner}, ${textArray(fields.map(snakeCase))})`);
      }
      return queryRows<{ id: number; entity: string }>(this.db, sql`select id, entity from search_source`);
    });
    const idOf = new Map(ids.map(({ id, entity }) => [entity, Number(id)]));
    this.sources = sources.flatMap((source) => {
      const id = idOf.get(source.entity.name);
      return id === undefined ? [] : [{ ...source, id, columns: columns.get(source.entity.name) ?? [] }];
    });
    for (const { id, entity, columns: fields } of this.sources)
      this.db.termIndexes.set(entity.name, { source: id, fields, isShared: entity.owner === 'platform' });
  }

  /** Indexes rows that are older than their source, in small steps. */
  complete(): Promise<void> {
    this.work = this.addMissingTerms().catch((error: unknown) => this.log.error({ err: error }, 'could not complete the search terms'));
    return this.work;
  }

  /** Stops after the current step; the next start continues the work. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.work;
  }

  private async addMissingTerms(): Promise<void> {
    let hasMore = true;
    while (hasMore && !this.isStopped) {
      const [step] = await this.db.asPlatform('adds missing search terms of all tenants', () =>
        queryRows<{ more: boolean }>(this.db, sql`select continue_search_terms(${rowsPerStep[this.db.engine]}) as more`),
      );
      hasMore = step?.more === true;
    }
  }
}
