import { sql } from 'drizzle-orm';
import { EgressRefused, Refusal, type Repository, repositoryOf, rowsOf, type ServerContext } from '#server';
import type { FormOf } from '#shared/contract';
import { say } from '#shared/text';
import { Datasource, type DatasourceRow, datasource, datasourceProblems, drivers } from '../contract.ts';
import { reasonOf, refusalOf } from './databases/failures.ts';
import { patience, withDatabase } from './databases/open-database.ts';
import type { DatabaseReader } from './databases/structure.ts';

/** Databases whose tables are read; what they keep is never asked for. */
export class Datasources {
  readonly rows: Repository<typeof Datasource>;
  private readonly keepers: ((ids: readonly string[]) => Promise<void>)[] = [];

  constructor(private readonly context: ServerContext) {
    const { db, egress } = context;
    this.rows = repositoryOf(db, Datasource, {
      unique: [{ fields: ['name'] }],
      beforeSave(form: FormOf<typeof Datasource>, before) {
        if (form.host) checkHost(egress, form.host);
        // Else whoever may edit a row would have its password sent wherever they like.
        if (before && isElsewhere(form, before) && before.driverClass !== drivers.embedded && form.password === undefined)
          throw new Refusal(datasourceProblems.passwordAgain, {}, { field: 'password' });
      },
      beforeRemove: async (rows) => {
        const ids = rows.map(({ id }) => id);
        await this.refuseGiven(ids);
        for (const refuse of this.keepers) await refuse(ids);
      },
    });
  }

  /** Whoever needs a data source refuses that it is removed. */
  refuseRemoval(refuse: (ids: readonly string[]) => Promise<void>): void {
    this.keepers.push(refuse);
  }

  /** A deleted tenant counts: restored it has what it had. */
  private async refuseGiven(ids: readonly string[]): Promise<void> {
    const wanted = sql.join(
      ids.map((id) => sql`${id}::bigint`),
      sql`, `,
    );
    const [given] = await rowsOf<{ name: string }>(this.context.db, sql`select tenant_name as name from tenant where datasource_id in (${wanted}) limit 1`);
    if (given) throw new Refusal(datasourceProblems.givenToTenant, given);
  }

  serve(): void {
    const { serve, serveCrud, db } = this.context;
    serveCrud(datasource, this.rows);
    serve(datasource.select, async () => (await this.rows.list()).map(({ id, name }) => ({ id, name })));
    serve(
      datasource.test,
      async ({ input, principal: { tenantId }, language }) => {
        const source = await db.read({ tenantId }, () => this.opened(input.id));
        const began = performance.now();
        const outcome = await withDatabase(source, this.context, (reader) => reader.version()).then(
          (version) => ({ works: true, detail: version }),
          (error) => ({ works: false, detail: say(reasonOf(error, patience), language) }),
        );
        return { ...outcome, milliseconds: Math.round(performance.now() - began) };
      },
      { ownTransactions: true },
    );
  }

  /** Asks a data source (the system's own database without one), outside of any transaction; what goes wrong on the way is refused in words. */
  async ask<Result>(tenantId: string, id: string | undefined, work: (reader: DatabaseReader) => Promise<Result>): Promise<Result> {
    const source = id ? await this.context.db.read({ tenantId }, () => this.opened(id)) : { driverClass: drivers.embedded };
    return withDatabase(source, this.context, work).catch((error) => {
      throw refusalOf(error, patience);
    });
  }

  private async opened(id: string) {
    const row = await this.rows.detail(id);
    return { ...row, password: (await this.rows.reveal(id, 'password')) ?? '' };
  }
}

function checkHost(egress: ServerContext['egress'], host: string): void {
  try {
    egress.check(new URL(`tcp://${host.includes(':') ? `[${host}]` : host}`));
  } catch (error) {
    throw new Refusal(datasourceProblems.privateHost, {}, { field: 'host', cause: error instanceof EgressRefused ? error : undefined });
  }
}

const address = ['driverClass', 'host', 'port', 'databaseName', 'username', 'useTls'] as const;
const isElsewhere = (form: Partial<DatasourceRow>, before: DatasourceRow) => address.some((name) => name in form && form[name] !== before[name]);
