import type { ConnectionOptions } from 'node:tls';
import type { Filter } from 'ldapts';
import type { LdapProvider } from './stored-providers.ts';

/** Binary id attributes of Active Directory, whose values are stored as hex. */
const binaryIds: readonly string[] = ['objectguid', 'objectsid'];

/** Inserts values into a filter. They are escaped, so that they match as text and cannot change the filter. */
export async function filterOf(pattern: string, values: Readonly<Record<string, string>>): Promise<string> {
  const { Filter } = await import('ldapts');
  return pattern.replace(/\{(\w+)\}/g, (placeholder, name: string) => (Object.hasOwn(values, name) ? Filter.escape(values[name] ?? '') : placeholder));
}

/** Returns the filter that a pattern makes for any account. */
export const presenceFilter = (pattern: string): string => pattern.replaceAll('{account}', '*');

/** Returns a filter for the users that match a pattern and have one of these stored ids. */
export async function idsFilter(pattern: string, attribute: string, ids: readonly string[]): Promise<Filter> {
  const { AndFilter, EqualityFilter, FilterParser, OrFilter } = await import('ldapts');
  const encoding = binaryIds.includes(attribute.toLowerCase()) ? 'hex' : 'utf8';
  const filters = ids.map((id) => new EqualityFilter({ attribute, value: Buffer.from(id, encoding) }));
  return new AndFilter({ filters: [FilterParser.parseString(presenceFilter(pattern)), new OrFilter({ filters })] });
}

/** Converts an id to the form in which it is stored. */
export function idText(attribute: string, value: unknown): string {
  const [first] = [value].flat();
  if (first === undefined || first === null) return '';
  const bytes = Buffer.isBuffer(first) ? first : Buffer.from(String(first));
  return bytes.toString(binaryIds.includes(attribute.toLowerCase()) ? 'hex' : 'utf8');
}

/** Returns the reason why a filter is not valid; undefined for a valid one. */
export async function filterProblem(pattern: string): Promise<string | undefined> {
  const { FilterParser } = await import('ldapts');
  try {
    FilterParser.parseString(await filterOf(pattern, { account: 'account', dn: 'cn=dn' }));
    return undefined;
  } catch (error) {
    return (error as Error).message.slice(0, 100);
  }
}

/** Returns the address without a path, and the TLS options of its host. */
export function connectionOptions({ address, caCertificate }: Pick<LdapProvider, 'address' | 'caCertificate'>): { url: string; tls: ConnectionOptions } {
  const { hostname } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isName = /[a-z]/i.test(host) && !host.includes(':');
  return {
    url: address.replace(/\/$/, ''),
    tls: { host, ...(isName ? { servername: host } : {}), ...(caCertificate ? { ca: caCertificate } : {}), minVersion: 'TLSv1.2' },
  };
}
