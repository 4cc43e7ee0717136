import { snakeCase } from '#shared/text';

/** Properties and columns the kernel reserves. */
const own = new Set(['id', 'createUser', 'createDept', 'createTime', 'updateUser', 'updateTime', 'status', 'isDeleted', 'tenantId', 'children', 'hasChildren']);
export const isOwnProperty = (name: string): boolean => own.has(name) || name.startsWith('__') || name in {};

/** Columns of the BladeX-compatible base row; in any table they have the kernel's meaning. */
const auditColumns = new Set(['create_user', 'create_dept', 'create_time', 'update_user', 'update_time', 'is_deleted', 'tenant_id']);
export const isAuditColumn = (name: string): boolean => auditColumns.has(name.toLowerCase());

const longest = 50;
const wordsOf = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .normalize('NFKD')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Converts `film_actor` to `filmActor`; the result is always a valid name in code and tables. */
export function propertyOf(name: string, otherwise: string): string {
  const [first = '', ...rest] = wordsOf(name);
  const camel = first + rest.map(capital).join('');
  const sound = /^[a-z]/.test(camel) ? camel : camel === '' ? otherwise : `${otherwise}${capital(camel)}`;
  return fitting(sound);
}

/** Converts `film_actor` to `FilmActor`. */
export const classOf = (name: string): string => capital(propertyOf(name, 'model'));

/** Converts `film_actor` to `Film actor`, for display. */
export const humanised = (name: string): string => capital(wordsOf(name).join(' ')).slice(0, 64) || name.replace(/[^\P{Cc}]/gu, '').slice(0, 64) || 'Field';

/** Appends a number to a name that is already in use. */
export function distinct(name: string, usedNames: ReadonlySet<string>): string {
  if (!usedNames.has(name)) return name;
  for (let count = 2; ; count += 1) {
    const other = `${name.slice(0, longest - 4)}${count}`;
    if (!usedNames.has(other)) return other;
  }
}

const fitting = (name: string) => {
  let fits = name.slice(0, longest);
  while (snakeCase(fits).length > 60) fits = fits.slice(0, -1);
  return fits;
};
