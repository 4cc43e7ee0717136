import { type SQL, sql } from 'drizzle-orm';
import type { Figures, SetupStep } from '#shared/figures';
import { ByPlugin } from '../../base/by-plugin.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';

/** A source of metrics. It is read as the current user within their tenant; SQL must restrict rows to the user's data scope. */
export interface FigureSource {
  readonly id: string;
  /** Permission code required to see these metrics. */
  readonly code: string;
  /** Entities the metrics are counted from: the result is cached until one of their rows changes. An empty list disables the cache. */
  readonly entities: readonly string[];
  /** Sort position, ascending; 50 by default. */
  readonly sort?: number;
  /** Users with this permission code see these metrics before all others, because they are about their own work. */
  readonly workCode?: string;
  /** True if the result differs between users. */
  readonly isPersonal?: boolean;
  /** Reads the metrics; `days` is the range of charts up to today. */
  read(range: { readonly days: number }): Promise<Figures>;
}

const defaultSort = 50;
const maxSort = 1000;

/** Metrics of all plugins for the console's first page. */
export class FigureSources {
  private readonly registered = new ByPlugin<FigureSource>();

  register(plugin: string, sources: readonly FigureSource[]): void {
    this.registered.add(plugin, sources);
  }

  unregister(plugin: string): void {
    this.registered.unregister(plugin);
  }

  all(): readonly FigureSource[] {
    return this.registered.all();
  }

  /** Lists the sources that a user with these permission codes can see: those about their own work first, then in order of position. */
  visibleTo(codes: { has(code: string): boolean }): readonly FigureSource[] {
    const position = ({ workCode, sort = defaultSort }: FigureSource) => (workCode !== undefined && codes.has(workCode) ? sort - maxSort : sort);
    return this.all()
      .filter(({ code }) => codes.has(code))
      .toSorted((one, other) => position(one) - position(other));
  }
}

/** Declaration of a setup checklist row. */
interface SetupStepOptions extends Omit<SetupStep, 'isDone'>, Pick<FigureSource, 'code' | 'sort' | 'entities' | 'isPersonal'> {
  /** SQL condition that holds once the step is done, read within the reader's tenant. */
  readonly isDone: () => SQL;
}

/** Creates a setup checklist row that is done as soon as its condition holds. Only users with its code see it. */
export function setupStep(db: Database, { code, sort = 50, entities, isPersonal = false, isDone, ...step }: SetupStepOptions): FigureSource {
  return {
    id: `setup:${step.id}`,
    code,
    sort,
    entities,
    isPersonal,
    async read() {
      const [row] = await queryRows<{ isDone: boolean }>(db, sql`select (${isDone()})::boolean as "isDone"`);
      return { setup: [{ ...step, isDone: row?.isDone ?? false }] };
    },
  };
}
