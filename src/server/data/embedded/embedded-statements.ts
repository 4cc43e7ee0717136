import { type messages, type PGlite, parse, protocol } from '@electric-sql/pglite';
import type { RowShape } from '../database/session.ts';
import { StatementNames } from '../database/statement-names.ts';

const { serialize } = protocol;

interface EmbeddedStatement {
  readonly name: string;
  readonly parameterTypes: readonly number[];
  /** Undefined if a statement returns no rows. */
  readonly row: messages.RowDescriptionMessage | undefined;
}

type Parsers = Readonly<Record<number, (value: string) => unknown>>;

/** Error codes for a table whose columns changed and for a statement that is no longer known. */
const stalePlan: ReadonlySet<string> = new Set(['0A000', '26000']);

/** Queries of an embedded database: repeated statements stay parsed and planned, and cost one step instead of six. Callers send one query at a time. */
export class EmbeddedStatements {
  private names = new StatementNames();
  private readonly prepared = new Map<string, EmbeddedStatement>();
  private count = 0;
  private readonly parsers: Parsers;

  constructor(
    private readonly engine: PGlite,
    private readonly parserOverrides: Parsers,
  ) {
    // Merged once: the engine would merge its several hundred parsers for every result.
    this.parsers = { ...engine.parsers, ...parserOverrides };
  }

  async query(text: string, parameters: unknown[], shape: RowShape): Promise<unknown[]> {
    const rowMode = shape === 'arrays' ? 'array' : 'object';
    if (!this.prepared.has(text) && this.names.nameOf(text) === undefined)
      return (await this.engine.query(text, parameters, { parsers: this.parserOverrides, rowMode })).rows;
    try {
      const { name, parameterTypes, row } = this.prepared.get(text) ?? (await this.prepare(text));
      const values = parameters.map((value, index) => this.serializeValue(value, parameterTypes[index] ?? 0));
      const answer = await this.send(serialize.bind({ statement: name, values }), serialize.execute({}));
      const [result] = parse.parseResults(row ? [row, ...answer] : answer, this.parsers, { rowMode });
      return result?.rows ?? [];
    } catch (error) {
      if (stalePlan.has((error as { code?: string }).code ?? '')) this.reset();
      throw error;
    }
  }

  /** Runs a script in one step; the engine's own method takes two. */
  async script(statements: string): Promise<void> {
    await this.engine.runExclusive(() => this.engine.execProtocolStream(serialize.query(statements), { syncToFs: false }));
  }

  /** Drops prepared statements after tables have changed, because plans and columns may differ. */
  reset(): void {
    this.names = new StatementNames();
    this.prepared.clear();
  }

  private async prepare(text: string): Promise<EmbeddedStatement> {
    this.count += 1;
    const name = `kept_${this.count}`;
    const answer = await this.send(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }));
    const row = answer.find((message) => message.name === 'rowDescription') as messages.RowDescriptionMessage | undefined;
    const prepared = { name, parameterTypes: parse.parseDescribeStatementResults(answer), row };
    this.prepared.set(text, prepared);
    return prepared;
  }

  private send(...parts: Uint8Array[]) {
    return this.engine.runExclusive(() => this.engine.execProtocolStream(Buffer.concat([...parts, serialize.sync()]), { syncToFs: false }));
  }

  private serializeValue(value: unknown, type: number): string | null {
    if (value === null || value === undefined) return null;
    const serializer = this.engine.serializers[type];
    return serializer ? serializer(value) : String(value);
  }
}
