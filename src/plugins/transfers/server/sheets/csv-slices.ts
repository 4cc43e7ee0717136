import { ApiError } from '#shared/errors';
import { transferProblems } from '../problems.ts';

/** Maximum amount parsed in one turn of the event loop. The parser creates an error for each row whose width differs from the first. */
const slice = { bytes: 16_384, rows: 100 } as const;

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

interface CsvLimits {
  /** Maximum number of rows besides the headings. */
  readonly rows: number;
  readonly columns: number;
}

/** Splits a CSV file into slices, one per turn of the event loop. Content beyond the limits is rejected before it is parsed. */
export async function* csvSlices(bytes: Buffer, encoding: string, delimiter: string, limits: CsvLimits): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  const slicer = new CsvSlicer(delimiter.charCodeAt(0), limits);
  for (let at = 0; at < bytes.length; at += slice.bytes) {
    const isLast = at + slice.bytes >= bytes.length;
    for (const text of slicer.slices(decoder.decode(bytes.subarray(at, at + slice.bytes), { stream: !isLast }))) {
      yield text;
      await new Promise(setImmediate);
    }
  }
}

/** Counts rows and columns of a CSV text that arrives in pieces. All quotes count alike, because the parser rejects quotes within unquoted fields. */
class CsvSlicer {
  private isQuoted = false;
  private isLineEmpty = true;
  private columns = 1;
  private rows = 0;
  private rowsOfSlice = 0;

  constructor(
    private readonly delimiter: number,
    private readonly limits: CsvLimits,
  ) {}

  /** Splits a piece after a fixed number of rows. */
  *slices(piece: string): Generator<string> {
    let start = 0;
    for (let at = 0; at < piece.length; at++) {
      if (!this.isEndOfLine(piece.charCodeAt(at)) || this.rowsOfSlice < slice.rows) continue;
      yield piece.slice(start, at + 1);
      start = at + 1;
      this.rowsOfSlice = 0;
    }
    if (start < piece.length) yield piece.slice(start);
    this.rowsOfSlice = 0;
  }

  private isEndOfLine(character: number): boolean {
    if (!this.isQuoted && (character === lineFeed || character === carriageReturn)) {
      this.isLineEmpty = true;
      return true;
    }
    if (this.isLineEmpty) this.beginRow();
    if (character === quote) this.isQuoted = !this.isQuoted;
    else if (character === this.delimiter && !this.isQuoted) this.addColumn();
    return false;
  }

  private beginRow(): void {
    this.isLineEmpty = false;
    this.columns = 1;
    this.rows += 1;
    this.rowsOfSlice += 1;
    // One more for the headings.
    if (this.rows > this.limits.rows + 1) throw new ApiError(transferProblems.tooManyRows, { count: this.limits.rows });
  }

  private addColumn(): void {
    this.columns += 1;
    if (this.columns > this.limits.columns) throw new ApiError(transferProblems.tooManyColumns, { count: this.limits.columns });
  }
}
