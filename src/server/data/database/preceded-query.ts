import pg from 'pg';

/** A statement with its values; a named one is parsed once for each connection. */
export interface PreparedStatement {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: unknown[];
}

/** Methods of a connection that `pg` does not declare. */
interface WireConnection {
  /** Texts of the statements with names, by name. */
  readonly parsedStatements: Record<string, string>;
  parse(message: Omit<PreparedStatement, 'values'>): void;
  bind(message: object): void;
  execute(message: object): void;
}
/** Methods of a query that `pg` does not declare. */
interface QueryProtocol {
  readonly name?: string;
  prepare(connection: WireConnection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: WireConnection): void;
}

const Query = pg.Query as unknown as new (config: pg.QueryConfig & { readonly rowMode?: 'array'; readonly queryMode: 'extended' }) => pg.Query & QueryProtocol;

/**
 * A statement that is sent together with a first one, in one round trip and one transaction. PostgreSQL skips the statement if the first one fails, so that it never runs
 * without the settings of the first one. The single row that the first one returns is dropped.
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

  override prepare(connection: WireConnection): void {
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

  override handleCommandComplete(message: unknown, connection: WireConnection): void {
    if (this.isPreceded) super.handleCommandComplete(message, connection);
    else if (this.first.name !== undefined) connection.parsedStatements[this.first.name] = this.first.text;
    this.isPreceded = true;
  }
}
