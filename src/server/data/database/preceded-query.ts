import pg from 'pg';

/** A statement with its values; a named one is parsed once for each connection. */
export interface PreparedStatement {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: unknown[];
}

/** The part of a connection and of a query that `pg` does not declare. */
interface Messages {
  /** Texts of the statements with names, by name. */
  readonly parsedStatements: Record<string, string>;
  parse(message: Omit<PreparedStatement, 'values'>): void;
  bind(message: object): void;
  execute(message: object): void;
}
interface QueryProtocol {
  readonly name?: string;
  prepare(connection: Messages): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Messages): void;
}

const Query = pg.Query as unknown as new (config: pg.QueryConfig & { readonly rowMode?: 'array'; readonly queryMode: 'extended' }) => pg.Query & QueryProtocol;

/**
 * A statement after another one, in one round trip and one transaction that ends with it. PostgreSQL skips the statement if the other one fails, so that it never runs
 * without what the other has set. The other one returns one row, which is dropped.
 */
export class PrecededQuery extends Query {
  private isPreceded = false;
  /** True if this query introduces names on its connection: after an error it is unknown which of them the connection knows. */
  introducesNames = false;
  callback: ((error: Error | null, result: pg.QueryResult) => void) | undefined;

  constructor(
    private readonly first: PreparedStatement,
    { name, text, values, rowMode }: PreparedStatement & { readonly rowMode?: 'array' },
    readonly query_timeout: number | undefined,
  ) {
    super({ text, values, queryMode: 'extended', ...(name === undefined ? {} : { name }), ...(rowMode ? { rowMode } : {}) });
  }

  /** Runs both statements on a client; resolves to the result of the second. */
  runOn(client: pg.ClientBase): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      this.callback = (error, result) => (error ? reject(error) : resolve(result));
      client.query(this);
    });
  }

  override prepare(connection: Messages): void {
    const { name, text, values } = this.first;
    const isNew = (one?: string) => one !== undefined && connection.parsedStatements[one] === undefined;
    this.introducesNames = isNew(name) || isNew(this.name);
    if (name === undefined || isNew(name)) connection.parse({ name, text });
    connection.bind({ statement: name, values });
    connection.execute({});
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.isPreceded) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Messages): void {
    if (this.isPreceded) super.handleCommandComplete(message, connection);
    else if (this.first.name !== undefined) connection.parsedStatements[this.first.name] = this.first.text;
    this.isPreceded = true;
  }
}
