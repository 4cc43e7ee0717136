import { sql } from 'drizzle-orm';
import {
  ApiError,
  crudRoutes,
  type DeclaredReference,
  EgressError,
  idArray,
  type PluginRoute,
  queryRows,
  type Repository,
  repositoryOf,
  route,
  type ServerContext,
} from '#server';
import type { FormOf } from '#shared/contract';
import { localize } from '#shared/text';
import { fieldProblem } from '#shared/validation';
import { Datasource, type DatasourceRow, type DatasourceSubmit, datasource, datasourceProblems, drivers } from '../contract.ts';
import { apiErrorOf, reasonOf } from './databases/failures.ts';
import { timeoutSeconds, withDatabase } from './databases/open-database.ts';
import type { DatabaseReader } from './databases/structure.ts';

type Address = Pick<DatasourceRow, 'driverClass' | 'host' | 'port' | 'databaseName' | 'schemaName' | 'useTls'>;

const schemes: Readonly<Record<string, DatasourceRow['driverClass']>> = { mysql: drivers.mysql, mariadb: drivers.mysql, postgresql: drivers.postgres };
const otherDriverNames: Readonly<Record<string, DatasourceRow['driverClass']>> = {
  'com.mysql.jdbc.Driver': drivers.mysql,
  'org.mariadb.jdbc.Driver': drivers.mysql,
};
const jdbcUrl = /^jdbc:(mysql|mariadb|postgresql):\/\/(?:\[([\da-f:.]+)\]|([^\s/:?#@,()[\]]+))(?::(\d{1,5}))?\/([^\s/?#;]+)(?:\?(\S*))?$/i;
/** Values of options that turn TLS off, in lower case; options that are not stored in our fields are dropped. */
const tlsOffValues: ReadonlySet<string> = new Set(['false', 'disable', 'disabled', 'prefer', 'preferred', 'allow']);

/** Returns the kind of database by a driver's name; throws for unsupported drivers. */
function driverOf(name: string): DatasourceRow['driverClass'] {
  const kind = Object.values(drivers).find((driver) => driver === name) ?? otherDriverNames[name];
  if (!kind) throw new ApiError(datasourceProblems.driver, {}, { field: 'driverClass' });
  return kind;
}

/** Returns the JDBC address for BladeX-compatible clients; null for the database of this system. */
function jdbcAddressOf({ driverClass, host, port, databaseName }: Address): string | null {
  if (driverClass === drivers.embedded || !host || !databaseName) return null;
  const scheme = driverClass === drivers.mysql ? 'mysql' : 'postgresql';
  const standardPort = driverClass === drivers.mysql ? 3306 : 5432;
  return `jdbc:${scheme}://${host.includes(':') ? `[${host}]` : host}:${port ?? standardPort}/${encodeURIComponent(databaseName)}`;
}

/** Parses a JDBC address into structured fields. Throws for anything but one server with one database of a supported kind. */
function parseJdbcAddress(url: string, driverClass: DatasourceRow['driverClass'] | undefined): Address {
  const [, scheme = '', inBrackets, name, port, database = '', options = ''] = jdbcUrl.exec(url.trim()) ?? [];
  const kind = schemes[scheme.toLowerCase()];
  if (!kind) throw new ApiError(datasourceProblems.jdbcAddress, {}, { field: 'url' });
  if (driverClass !== undefined && driverClass !== kind) throw new ApiError(datasourceProblems.otherDriver, {}, { field: 'url' });
  const address = {
    driverClass: kind,
    host: inBrackets ?? name ?? null,
    port: port === undefined ? null : Number(port),
    databaseName: decode(database),
    ...optionsOf(kind, options),
  };
  for (const [field, value] of Object.entries(address)) {
    const schema = Datasource.fields[field as keyof Address];
    if (value !== null && fieldProblem(schema, value, false)) throw new ApiError(datasourceProblems.jdbcAddress, {}, { field: 'url' });
  }
  return address;
}

function optionsOf(kind: DatasourceRow['driverClass'], text: string): Pick<Address, 'schemaName' | 'useTls'> {
  const options = new Map([...new URLSearchParams(text)].map(([name, value]) => [name.toLowerCase(), value]));
  // A password in an address could end up in logs and histories that store addresses.
  if (options.has('password') || options.has('user')) throw new ApiError(datasourceProblems.credentialsInAddress, {}, { field: 'url' });
  const tls = options.get('sslmode') ?? options.get('usessl') ?? options.get('ssl');
  const useTls = tls !== undefined && !tlsOffValues.has(tls.toLowerCase());
  return { schemaName: kind === drivers.postgres ? (options.get('currentschema') ?? null) : null, useTls };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Deleted tenants that use data sources count too, because they can be restored. */
export const deletedTenants = ({ db }: Pick<ServerContext, 'db'>): DeclaredReference => ({
  entity: Datasource.name,
  title: ['已删除的租户', 'Deleted tenants'],
  async count(ids) {
    const [found] = await queryRows<{ count: number }>(
      db,
      sql`select count(*)::integer as count from tenant where datasource_id = any(${idArray(ids)}) and is_deleted = 1`,
    );
    return found?.count ?? 0;
  },
});

/** Repository of data sources; only their structure is read, never their rows. */
export class Datasources {
  readonly rows: Repository<typeof Datasource>;

  constructor(private readonly context: ServerContext) {
    const { db, egress } = context;
    this.rows = repositoryOf(db, Datasource, {
      unique: [{ fields: ['name'] }],
      beforeSave(form: FormOf<typeof Datasource>, before) {
        if (form.host) assertAllowedHost(egress, form.host);
        // Otherwise a user who may edit the row could have the stored password sent to another address.
        if (before && changesConnection(form, before) && before.driverClass !== drivers.embedded && form.password === undefined)
          throw new ApiError(datasourceProblems.passwordRequired, {}, { field: 'password' });
      },
    });
  }

  routes(): PluginRoute[] {
    const { db } = this.context;

    return [
      crudRoutes(datasource, this.rows, { search: { fields: ['name'], actions: { datasource_edit: true } } }),
      route(datasource.list, async ({ input }) => {
        const { records, ...page } = await this.rows.page(input);
        return { ...page, records: records.map(withUrl) };
      }),
      route(datasource.detail, async ({ input }) => withUrl(await this.rows.detail(input.id))),
      route(datasource.submit, async ({ input }) => withUrl(await this.save(input))),
      route(datasource.select, async () => (await this.rows.list()).map(({ id, name }) => ({ id, name }))),
      route(
        datasource.test,
        async ({ input, principal: { tenantId }, language }) => {
          const source = await db.read({ tenantId }, () => this.withPassword(input.id));
          const start = performance.now();
          const outcome = await withDatabase(source, this.context, (reader) => reader.version()).then(
            (version) => ({ works: true, detail: version }),
            (error) => ({ works: false, detail: localize(reasonOf(error, timeoutSeconds), language) }),
          );
          return { ...outcome, milliseconds: Math.round(performance.now() - start) };
        },
        { manualTransactions: true },
      ),
    ];
  }

  /** Saves a data source. A JDBC address is parsed only if it differs from that of the row. */
  private async save({ url, shardingConfig: _, driverClass, ...others }: DatasourceSubmit): Promise<DatasourceRow> {
    const driver = driverClass ? driverOf(driverClass) : undefined;
    const form = { ...others, ...(driver ? { driverClass: driver } : {}) } as FormOf<typeof Datasource>;
    const before = form.id ? await this.rows.detail(form.id) : undefined;
    const isNewUrl = url !== undefined && url !== '' && (before === undefined || url !== jdbcAddressOf(before));
    return this.rows.save(isNewUrl ? { ...form, ...parseJdbcAddress(url, driver) } : form);
  }

  /** Runs `work` on a data source, or on this system's database without an id, outside any transaction; errors become `ApiError`s with a readable message. */
  async use<Result>(tenantId: string, id: string | undefined, work: (reader: DatabaseReader) => Promise<Result>): Promise<Result> {
    const source = id ? await this.context.db.read({ tenantId }, () => this.withPassword(id)) : { driverClass: drivers.embedded };
    return withDatabase(source, this.context, work).catch((error) => {
      throw apiErrorOf(error, timeoutSeconds);
    });
  }

  private async withPassword(id: string) {
    const row = await this.rows.detail(id);
    return { ...row, password: (await this.rows.decrypt(id, 'password')) ?? '' };
  }
}

const withUrl = (row: DatasourceRow) => ({ ...row, url: jdbcAddressOf(row) });

function assertAllowedHost(egress: ServerContext['egress'], host: string): void {
  try {
    egress.check(new URL(`tcp://${host.includes(':') ? `[${host}]` : host}`));
  } catch (error) {
    throw new ApiError(datasourceProblems.privateHost, {}, { field: 'host', cause: error instanceof EgressError ? error : undefined });
  }
}

const connectionFields = ['driverClass', 'host', 'port', 'databaseName', 'username', 'useTls'] as const;
const changesConnection = (form: Partial<DatasourceRow>, before: DatasourceRow) => connectionFields.some((name) => name in form && form[name] !== before[name]);
