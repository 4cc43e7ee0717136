import { outsideWork } from '../../base/work.ts';

/** Size, interval and destination of a log buffer. */
export interface LogBufferOptions<Row> {
  /** Maximum number of waiting rows, so that a log cannot exhaust the server's memory. */
  readonly capacity: number;
  readonly flushIntervalMs: number;
  write(rows: readonly Row[]): Promise<void>;
  /** Reports rows that exceeded the capacity, before the waiting ones are written. */
  onDropped?(count: number): void;
  /** Reports rows that could not be written; `lost` is their number. */
  onFailed(error: unknown, lost: number): void;
}

/** Collects rows of a log and writes them together a moment later, so that no response waits for them. */
export class LogBuffer<Row> {
  private waiting: Row[] = [];
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> = Promise.resolve();
  private dropped = 0;

  constructor(private readonly options: LogBufferOptions<Row>) {}

  /** Adds a row, which is only built if the buffer has room; returns false otherwise. */
  add(build: () => Row): boolean {
    this.timer ??= outsideWork(() => setTimeout(() => void this.flush(), this.options.flushIntervalMs).unref());
    if (this.waiting.length >= this.options.capacity) {
      this.dropped += 1;
      return false;
    }
    this.waiting.push(build());
    return true;
  }

  /** Writes all waiting rows. The server awaits it before the database closes. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushing = this.flushing.then(() => this.writeWaiting());
    await this.flushing;
  }

  private async writeWaiting(): Promise<void> {
    const rows = this.waiting.splice(0);
    const { dropped } = this;
    this.dropped = 0;
    if (dropped > 0) this.options.onDropped?.(dropped);
    // The report about dropped rows may itself be a row of this log.
    rows.push(...this.waiting.splice(0));
    if (rows.length > 0) await this.options.write(rows).catch((error) => this.options.onFailed(error, rows.length));
  }
}

/** Serializes rows without the characters that PostgreSQL cannot store; rejected requests and errors often contain them. */
export function storableJson(rows: readonly object[]): string {
  return JSON.stringify(rows, (_name, value: unknown) => (typeof value === 'string' ? storableText(value) : value));
}

/** Removes the characters that PostgreSQL cannot store. */
export const storableText = (text: string): string => text.replace(/\0|\p{Surrogate}/gu, '');
