import { snakeCase } from '#shared/text';

/** Properties and columns the kernel reserves. */
const kernelProperties = new Set([
  'id',
  'createUser',
  'createDept',
  'createTime',
  'updateUser',
  'updateTime',
  'status',
  'isDeleted',
  'tenantId',
  'version',
  'children',
  'hasChildren',
]);
export const isKernelProperty = (name: string): boolean => kernelProperties.has(name) || name.startsWith('__') || name in {};

/** Columns of the BladeX-compatible base row; in any table they have the kernel's meaning. */
const auditColumns = new Set(['create_user', 'create_dept', 'create_time', 'update_user', 'update_time', 'is_deleted', 'tenant_id']);
export const isAuditColumn = (name: string): boolean => auditColumns.has(name.toLowerCase());

const maxLength = 50;
const wordsOf = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .normalize('NFKD')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Converts `film_actor` to `filmActor`; the result is always a valid name in code and tables. */
export function propertyOf(name: string, otherwise: string): string {
  const [first = '', ...rest] = wordsOf(name);
  const camel = first + rest.map(capitalize).join('');
  const valid = /^[a-z]/.test(camel) ? camel : camel === '' ? otherwise : `${otherwise}${capitalize(camel)}`;
  return shorten(valid);
}

/** Converts `film_actor` to `FilmActor`. */
export const classOf = (name: string): string => capitalize(propertyOf(name, 'model'));

/** Converts `film_actor` to `Film actor`, for display. */
export const humanize = (name: string): string => capitalize(wordsOf(name).join(' ')).slice(0, 64) || name.replace(/[^\P{Cc}]/gu, '').slice(0, 64) || 'Field';

/** Appends a number to a name that is already in use. */
export function uniqueName(name: string, usedNames: ReadonlySet<string>): string {
  if (!usedNames.has(name)) return name;
  for (let count = 2; ; count += 1) {
    const other = `${name.slice(0, maxLength - 4)}${count}`;
    if (!usedNames.has(other)) return other;
  }
}

const shorten = (name: string) => {
  let result = name.slice(0, maxLength);
  while (snakeCase(result).length > 60) result = result.slice(0, -1);
  return result;
};

/** Names that emitted files import or declare, and reserved words of TypeScript. */
const reservedNames = new Set(
  'Crud crud contract entity get menu expect test path form rows opened setOpened t fields page definePlugin defineServerPlugin compareTables testServer detailsTitle CrudPage SidePanel useState useTranslation repositoryOf treeRepositoryOf nodesOf serve db Id Text LongText Integer Decimal Money Select Flag BooleanInt DateTime DateOnly TimeOnly Parent Email Phone Url Reference Dictionary RichText Image Attachment Code Json Cron Secret MultiSelect Nullable NoInput TreeNode TreeOf abstract any as async await boolean break case catch class const continue debugger declare default delete do else enum export extends false finally for from function if implements import in instanceof interface let module namespace never new null number object of package private protected public return set static string super switch symbol this throw true try type typeof undefined var void while with yield arguments eval'.split(
    ' ',
  ),
);
export const isReservedName = (name: string): boolean => reservedNames.has(name);
