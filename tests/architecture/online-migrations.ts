import { parse } from 'libpg-query';

/** Migration of the kernel or of a plugin. */
export interface MigrationFile {
  readonly path: string;
  readonly text: string;
}

/** Statement that holds up or breaks servers of the previous version, by its line. */
export interface OfflineStatement {
  readonly line: number;
  readonly remedy: string;
}

/** Node of a parsed statement, as PostgreSQL's own parser prints it. */
type Node = { readonly [key: string]: unknown };

/** Procedures that read or index all rows of a table. */
const wholeTable: ReadonlySet<string> = new Set(['own_by_tenant', 'own_by_platform', 'sort_by', 'count_rows', 'keep_places', 'keep_search_terms']);
/** Comment above a statement that changes a small table, such as one of settings. */
const fewRows = /^\s*-- Few rows/m;
/** Functions whose value differs from row to row, so that a column with such a default rewrites the table. */
const volatileDefault = /"(gen_random_uuid|random|clock_timestamp|nextval|timeofday)"/;

const advice = {
  index: 'build the index with “create index concurrently if not exists <name>”, in a file without other statements',
  repeatable: 'name the index and use “if not exists” or “if exists”, because the file may run twice',
  alone: 'put statements with “concurrently” into a file without others, because they run outside of a transaction',
  whole: 'this reads or indexes all rows at once: give a new table the index when it is created, or build it concurrently',
  removed: 'the previous version still uses it: remove it one version after the last use',
  renamed: 'the previous version uses the old name: add the new one beside it',
  type: 'this rewrites the table: add a column of the new type and fill it in the background',
  notNull: 'this reads all rows, and the previous version may not write the column: add a constant default, or a check “not valid” that a later file validates',
  rewrites: 'this rewrites the table: add the column without the default, then set the default',
  constraint: 'this reads all rows under a lock: add the constraint “not valid”, and validate it in a later file',
  unique: 'this builds an index under a lock: build it concurrently, then add the constraint “using index”',
  rows: 'this locks all rows that it changes: change them in the background, in batches, or say “-- Few rows: …” above it',
} as const;

/**
 * Lists statements that would hold up or break servers of the previous version, which keep running while a migration is applied, with the remedy of each. A table that
 * the same file creates is empty and used by no server, so everything may be done to it.
 */
export async function offlineStatements({ text }: MigrationFile): Promise<OfflineStatement[]> {
  const { stmts } = (await parse(text)) as unknown as { stmts: { stmt: Node; stmt_location?: number; stmt_len?: number }[] };
  const bytes = Buffer.from(text);
  const lineAfter = (start: number) => {
    const before = bytes.subarray(0, start).toString();
    const [blanks = ''] = /^(?:\s|--.*\n)*/.exec(bytes.subarray(start).toString()) ?? [];
    return (before + blanks).split('\n').length;
  };
  const statements = stmts
    .filter(({ stmt_location: start = 0, stmt_len: length = bytes.length }) => !fewRows.test(bytes.subarray(start, start + length).toString()))
    .map(({ stmt, stmt_location: start = 0 }) => ({ line: lineAfter(start), statement: Object.entries(stmt)[0] as [string, Node] }));
  const created = new Set(statements.flatMap(({ statement: [kind, node] }) => (kind === 'CreateStmt' ? [nameOf(node)] : [])));
  const found = statements.flatMap(({ line, statement: [kind, node] }) => findings(kind, node, created).map((remedy) => ({ line, remedy })));
  const concurrent = statements.filter(({ statement: [, node] }) => node.concurrent === true);
  if (concurrent.length > 0 && concurrent.length < statements.length) found.push({ line: concurrent[0]?.line ?? 1, remedy: advice.alone });
  return found;
}

function findings(kind: string, node: Node, created: ReadonlySet<string>): string[] {
  const isNew = created.has(nameOf(node));
  if (kind === 'IndexStmt') {
    if (isNew) return [];
    if (node.concurrent !== true) return [advice.index];
    return node.if_not_exists === true && node.idxname !== undefined ? [] : [advice.repeatable];
  }
  if (kind === 'DropStmt') {
    if (node.removeType === 'OBJECT_INDEX') return node.concurrent !== true || node.missing_ok === true ? [] : [advice.repeatable];
    return ['OBJECT_TABLE', 'OBJECT_VIEW', 'OBJECT_FUNCTION', 'OBJECT_PROCEDURE'].includes(String(node.removeType)) ? [advice.removed] : [];
  }
  if (kind === 'RenameStmt') return ['OBJECT_TABLE', 'OBJECT_COLUMN'].includes(String(node.renameType)) && !isNew ? [advice.renamed] : [];
  if (kind === 'UpdateStmt' || kind === 'DeleteStmt') return isNew ? [] : [advice.rows];
  if (kind === 'CallStmt') return callFindings(JSON.stringify(node.funccall), created);
  if (kind === 'AlterTableStmt' && !isNew)
    return (node.cmds as { AlterTableCmd: Node }[]).flatMap(({ AlterTableCmd: command }) => alterFindings(String(command.subtype), command));
  return [];
}

function callFindings(call: string, created: ReadonlySet<string>): string[] {
  const [procedure = '', table = ''] = [...call.matchAll(/"sval":"?(?:\{"sval":)?"?(\w+)"/g)].map(([, name]) => name);
  return wholeTable.has(procedure) && !created.has(table) ? [advice.whole] : [];
}

function alterFindings(subtype: string, { def }: Node): string[] {
  if (subtype === 'AT_AlterColumnType') return [advice.type];
  if (subtype === 'AT_SetNotNull') return [advice.notNull];
  if (subtype === 'AT_DropColumn') return [advice.removed];
  if (subtype === 'AT_AddConstraint') return constraintFindings((def as { Constraint: Node }).Constraint);
  if (subtype !== 'AT_AddColumn') return [];
  const { constraints = [] } = (def as { ColumnDef: { constraints?: { Constraint: Node }[] } }).ColumnDef;
  const kinds = new Map(constraints.map(({ Constraint: one }) => [String(one.contype), one]));
  const found: string[] = [];
  if (kinds.has('CONSTR_NOTNULL') && !kinds.has('CONSTR_DEFAULT')) found.push(advice.notNull);
  if (volatileDefault.test(JSON.stringify(kinds.get('CONSTR_DEFAULT') ?? '')) || kinds.has('CONSTR_GENERATED') || kinds.has('CONSTR_IDENTITY'))
    found.push(advice.rewrites);
  if (kinds.has('CONSTR_UNIQUE') || kinds.has('CONSTR_PRIMARY')) found.push(advice.unique);
  // A new column without a value satisfies every check and refers to no row, but PostgreSQL reads all rows for a check.
  if (kinds.has('CONSTR_CHECK')) found.push(advice.constraint);
  return found;
}

function constraintFindings({ contype, skip_validation: isUnchecked, indexname }: Node): string[] {
  if (contype === 'CONSTR_UNIQUE' || contype === 'CONSTR_PRIMARY') return indexname === undefined ? [advice.unique] : [];
  return isUnchecked === true ? [] : [advice.constraint];
}

const nameOf = ({ relation }: Node): string => String((relation as { relname?: string } | undefined)?.relname ?? '');
