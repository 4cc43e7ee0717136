import pg from 'pg';

/** The part of a connection and of a query that `pg` does not declare. */
interface Messages {
  parse(message: { readonly text: string }): void;
  bind(message: object): void;
  execute(message: object): void;
}
interface QueryProtocol {
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
  callback: ((error: Error | null, result: pg.QueryResult) => void) | undefined;

  constructor(
    private readonly first: string,
    { text, values, rowMode }: { readonly text: string; readonly values: unknown[]; readonly rowMode?: 'array' },
    readonly query_timeout: number | undefined,
  ) {
    super({ text, values, queryMode: 'extended', ...(rowMode ? { rowMode } : {}) });
  }

  /** Runs both statements on a client; resolves to the result of the second. */
  runOn(client: pg.ClientBase): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      this.callback = (error, result) => (error ? reject(error) : resolve(result));
      client.query(this);
    });
  }

  override prepare(connection: Messages): void {
    connection.parse({ text: this.first });
    connection.bind({});
    connection.execute({});
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.isPreceded) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Messages): void {
    if (this.isPreceded) super.handleCommandComplete(message, connection);
    this.isPreceded = true;
  }
}
