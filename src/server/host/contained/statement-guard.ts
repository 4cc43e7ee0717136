import { parse } from 'libpg-query';
import { LRUCache } from 'lru-cache';
import type { LocalizedText } from '#shared/text';

/** Node of a parsed statement, as PostgreSQL's own parser prints it. */
type Node = Readonly<Record<string, unknown>>;

/** Error for a statement that a contained plugin may not run. */
export class StatementRefusedError extends Error {
  override readonly name = 'StatementRefusedError';

  constructor(readonly text: LocalizedText) {
    super(text[1]);
  }
}

/** Tables of the kernel whose columns `create table thing (like tenant_row including all)` copies. */
const copiedTables: ReadonlySet<string> = new Set(['base_row', 'tenant_row']);
/** Procedures that migrations call with their table as the first argument. */
const tableProcedures: ReadonlySet<string> = new Set(['own_by_tenant', 'own_by_platform', 'sort_by']);
const alterations: ReadonlySet<string> = new Set([
  ...['AT_AddColumn', 'AT_DropColumn', 'AT_ColumnDefault', 'AT_SetNotNull', 'AT_DropNotNull', 'AT_AlterColumnType'],
  ...['AT_AddConstraint', 'AT_DropConstraint', 'AT_ValidateConstraint'],
]);
/** Functions that neither read anything but their arguments nor take unbounded time or memory. */
const safeFunctions: ReadonlySet<string> = new Set(
  `abs age array_agg array_append array_length array_remove array_to_string avg bool_and bool_or btrim cardinality ceil ceiling char_length concat concat_ws count
  date_part date_trunc dense_rank extract first_value floor gen_random_uuid greatest jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_array_length
  jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_object_agg jsonb_typeof json_agg json_build_object lag last_value lead least left length lower
  ltrim make_date make_interval max md5 min mod now ntile nullif num_nonnulls position power random rank replace reverse right round row_number rtrim split_part
  sqrt starts_with string_agg string_to_array strpos substr substring sum timezone to_char to_date to_jsonb to_number to_timestamp trim trunc unnest upper width_bucket`
    .split(/\s+/)
    .filter((name) => name !== ''),
);
/** Rows that a statement or a list may answer. */
export const maxRows = 1000;
/** Types of columns whose values have a bounded length. */
const boundedTypes: ReadonlySet<string> = new Set('bool date float4 float8 int2 int4 int8 interval numeric time timestamp timestamptz uuid'.split(' '));
const rowStatements: ReadonlySet<string> = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt']);

/**
 * Allows the statements of a contained plugin that read and write its own tables and call nothing but known functions. It reads them with the parser of PostgreSQL, so
 * that no spelling of a statement is understood differently here and there.
 */
export class StatementGuard {
  /** Texts to run, by the texts that were asked for. */
  private readonly allowed = new LRUCache<string, string>({ max: 500 });
  /** Tables of the plugin, complete after its migrations have been read. */
  private readonly tables = new Set<string>();

  /** Tests whether a table belongs to the plugin. */
  owns(table: string): boolean {
    return this.tables.has(table);
  }

  /**
   * Returns the text to run for a statement, which answers one row more than `maxRows` at most and no long ones. Throws a `StatementRefusedError` for one that reaches
   * beyond the tables of the plugin.
   */
  async allowedText(text: string): Promise<string> {
    const known = this.allowed.get(text);
    if (known !== undefined) return known;
    const [statement, ...more] = await statementsOf(text);
    if (!statement || more.length > 0 || !rowStatements.has(kindOf(statement))) throw refused.kind();
    this.check(statement, new Set());
    const bounded = boundedText(text.trim().replace(/;$/, ''), statement);
    this.allowed.set(text, bounded);
    return bounded;
  }

  /**
   * Throws a `StatementRefusedError` for a text that is not one condition on the tables of the plugin. As the only argument of a call it can neither close a parenthesis
   * that it has not opened nor leave a comment open.
   */
  async assertCondition(text: string): Promise<void> {
    const [statement, ...more] = await statementsOf(`select condition(${text}\n)`);
    const { targetList, limitOption: _, op: __, ...clauses } = (statement?.SelectStmt ?? {}) as Node;
    const [target, ...targets] = nodesOf(targetList);
    const { name, val } = (target?.ResTarget ?? {}) as Node;
    const { funcname, args, funcformat: ___, location: ____, ...modifiers } = (((val ?? {}) as Node).FuncCall as Node) ?? {};
    const isOne = more.length === 0 && targets.length === 0 && name === undefined && nodesOf(args).length === 1 && nodesOf(funcname).length === 1;
    if (!isOne || Object.keys(clauses).length > 0 || Object.keys(modifiers).length > 0) throw refused.kind();
    this.check(args, new Set());
  }

  /** Throws a `StatementRefusedError` for a migration that changes anything but tables that the plugin creates. */
  async readMigration(text: string): Promise<void> {
    for (const statement of await statementsOf(text)) this.checkMigration(statement);
  }

  private checkMigration(statement: Node): void {
    const kind = kindOf(statement);
    const body = statement[kind] as Node;
    if (kind === 'CreateStmt') this.checkCreate(body);
    else if (kind === 'CallStmt') this.checkCall(body.funccall as Node);
    else if (kind === 'IndexStmt' || rowStatements.has(kind)) this.check(statement, new Set());
    else if (kind === 'AlterTableStmt') this.checkAlter(body);
    else throw refused.kind();
  }

  private checkCreate(body: Node): void {
    const { relation, tableElts, ...more } = body;
    const { relname, schemaname, relpersistence } = relation as Node;
    // An inherited table, a partition or an existing table would reach rows of others, and a temporary one would make the name of theirs allowed.
    const isOther = schemaname !== undefined || relpersistence === 't' || more.if_not_exists || more.inhRelations || more.partbound || more.ofTypename;
    if (isOther) throw refused.kind();
    const columns = nodesOf(tableElts);
    const copies = columns.filter((one) => one.TableLikeClause);
    for (const { TableLikeClause } of copies) {
      const { relname: source, schemaname: schema } = (TableLikeClause as Node).relation as Node;
      if (schema !== undefined || !copiedTables.has(String(source))) throw refused.table(String(source));
    }
    this.tables.add(String(relname));
    for (const column of columns) if (!column.TableLikeClause) this.checkColumn(column);
  }

  /** Refuses columns whose values could be as long as the memory of the server. */
  private checkColumn(column: Node): void {
    const { typeName } = (column.ColumnDef ?? {}) as { readonly typeName?: Node };
    const name = String((nodesOf(typeName?.names).at(-1)?.String as Node | undefined)?.sval ?? '');
    const [length] = nodesOf(typeName?.typmods).map(({ A_Const }) => Number(((A_Const as Node | undefined)?.ival as Node | undefined)?.ival));
    const isShort = (name === 'varchar' || name === 'bpchar') && length !== undefined && length <= 20_000;
    if (typeName && (typeName.arrayBounds || !(isShort || boundedTypes.has(name)))) throw refused.type(name);
    this.check(column, new Set());
  }

  private checkAlter(body: Node): void {
    for (const { AlterTableCmd } of nodesOf(body.cmds)) {
      const { subtype, def } = AlterTableCmd as Node;
      if (!alterations.has(String(subtype))) throw refused.kind();
      if (def) this.checkColumn(def as Node);
    }
    this.check(body, new Set());
  }

  private checkCall({ funcname, args }: Node): void {
    const names = nodesOf(funcname).map(({ String: name }) => String((name as Node).sval));
    const [table] = nodesOf(args).map((argument) => ((argument.A_Const as Node | undefined)?.sval as Node | undefined)?.sval);
    if (names.length !== 1 || !tableProcedures.has(names[0] ?? '')) throw refused.call(names.join('.'));
    if (typeof table !== 'string' || !this.tables.has(table)) throw refused.table(String(table));
  }

  /** Checks a node and those in it; `known` are names that `with` gives to queries around it. */
  private check(node: unknown, known: ReadonlySet<string>): void {
    if (Array.isArray(node)) {
      for (const one of node) this.check(one, known);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    const { withClause, relation, RangeVar, FuncCall, intoClause, pktable, ...more } = node as Node;
    if (intoClause) throw refused.kind();
    const names = this.checkWith(withClause as Node | undefined, known);
    if (RangeVar) this.checkTable(RangeVar as Node, names);
    // A table that is written or referred to is never a query of `with`.
    for (const table of [relation, pktable]) if (table) this.checkTable(table as Node, new Set());
    if (FuncCall) this.checkFunction(FuncCall as Node, names);
    for (const one of Object.values(more)) this.check(one, names);
  }

  /** Checks the queries of a `with` in their order, each of which knows those before it, and returns all known names. */
  private checkWith(clause: Node | undefined, known: ReadonlySet<string>): ReadonlySet<string> {
    if (!clause) return known;
    // A recursive query can run without end.
    if (clause.recursive) throw refused.kind();
    const names = new Set(known);
    for (const { CommonTableExpr } of nodesOf(clause.ctes)) {
      const { ctename, ...query } = CommonTableExpr as Node;
      this.check(query, new Set(names));
      names.add(String(ctename));
    }
    return names;
  }

  private checkTable({ relname, schemaname, catalogname }: Node, known: ReadonlySet<string>): void {
    const name = String(relname);
    if (schemaname === undefined && known.has(name)) return;
    if (catalogname !== undefined || (schemaname !== undefined && schemaname !== 'public') || !this.tables.has(name)) throw refused.table(name);
  }

  private checkFunction({ funcname, ...more }: Node, known: ReadonlySet<string>): void {
    const names = nodesOf(funcname).map(({ String: name }) => String((name as Node).sval));
    const name = names.at(-1) ?? '';
    if (names.length > 2 || (names.length === 2 && names[0] !== 'pg_catalog') || !safeFunctions.has(name)) throw refused.call(names.join('.'));
    for (const one of Object.values(more)) this.check(one, known);
  }
}

/** Bounds the rows that a statement answers. */
function boundedText(text: string, statement: Node): string {
  const kind = kindOf(statement);
  const { withClause, returningList } = statement[kind] as Node;
  const bounds = `where bounded_row(answer::text) limit ${maxRows + 1}`;
  if (kind !== 'SelectStmt') return returningList ? `with answer as (${text}\n) select * from answer ${bounds}` : text;
  // A change inside `with` must be at the top of a statement, so that its rows could not be bounded.
  const changes = nodesOf((withClause as Node | undefined)?.ctes).some(
    ({ CommonTableExpr }) => kindOf((CommonTableExpr as Node).ctequery as Node) !== 'SelectStmt',
  );
  if (changes) throw refused.kind();
  return `select * from (${text}\n) answer ${bounds}`;
}

async function statementsOf(text: string): Promise<Node[]> {
  try {
    const { stmts = [] } = (await parse(text)) as { readonly stmts?: readonly { readonly stmt: Node }[] };
    return stmts.map(({ stmt }) => stmt);
  } catch (error) {
    throw new StatementRefusedError([`SQL 无法解析：${(error as Error).message}`, `The SQL cannot be parsed: ${(error as Error).message}`]);
  }
}

const kindOf = (statement: Node): string => Object.keys(statement)[0] ?? '';

const nodesOf = (list: unknown): readonly Node[] => (Array.isArray(list) ? list : []);

const refused = {
  kind: () =>
    new StatementRefusedError([
      '隔离运行的插件只能读写自己的数据表，不能执行这种语句',
      'A contained plugin may only read and write its own tables, not run a statement of this kind.',
    ]),
  table: (name: string) =>
    new StatementRefusedError([`隔离运行的插件不能访问数据表 ${name}`, `A contained plugin may not use the table ${name}, because it is not its own.`]),
  type: (name: string) =>
    new StatementRefusedError([
      `隔离运行的插件的列不能是 ${name}，请用 varchar(n) 等有长度上限的类型`,
      `A column of a contained plugin may not be ${name}. Use a type of bounded length, such as varchar(n).`,
    ]),
  call: (name: string) => new StatementRefusedError([`隔离运行的插件不能在 SQL 中调用 ${name}`, `A contained plugin may not call ${name} in SQL.`]),
};
