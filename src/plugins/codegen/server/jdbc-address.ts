import { ApiError } from '#server';
import { fieldProblem } from '#shared/validation';
import { Datasource, type DatasourceRow, datasourceProblems, drivers } from '../contract.ts';

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
export function driverOf(name: string): DatasourceRow['driverClass'] {
  const kind = Object.values(drivers).find((driver) => driver === name) ?? otherDriverNames[name];
  if (!kind) throw new ApiError(datasourceProblems.driver, {}, { field: 'driverClass' });
  return kind;
}

/** Returns the JDBC address for BladeX-compatible clients; null for the database of this system. */
export function jdbcAddressOf({ driverClass, host, port, databaseName }: Address): string | null {
  if (driverClass === drivers.embedded || !host || !databaseName) return null;
  const scheme = driverClass === drivers.mysql ? 'mysql' : 'postgresql';
  const standardPort = driverClass === drivers.mysql ? 3306 : 5432;
  return `jdbc:${scheme}://${host.includes(':') ? `[${host}]` : host}:${port ?? standardPort}/${encodeURIComponent(databaseName)}`;
}

/** Parses a JDBC address into structured fields. Throws for anything but one server with one database of a supported kind. */
export function parseJdbcAddress(url: string, driverClass: DatasourceRow['driverClass'] | undefined): Address {
  const [, scheme = '', inBrackets, name, port, database = '', options = ''] = jdbcUrl.exec(url.trim()) ?? [];
  const kind = schemes[scheme.toLowerCase()];
  if (!kind) throw new ApiError(datasourceProblems.jdbcAddress, {}, { field: 'url' });
  if (driverClass !== undefined && driverClass !== kind) throw new ApiError(datasourceProblems.otherDriver, {}, { field: 'url' });
  const address = {
    driverClass: kind,
    host: inBrackets ?? name ?? null,
    port: port === undefined ? null : Number(port),
    databaseName: decoded(database),
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
