import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogSinkConfiguration } from '../../base/configuration/log-sink-settings.ts';
import type { Log } from '../../base/log.ts';
import { inBatches, postLines } from '../../base/post-lines.ts';
import type { GaugeSource } from '../metrics/metrics.ts';

/** Logs that are sent to a sink; each is also the name of its table. */
type SinkLog = 'api_log' | 'error_log' | 'usual_log';

const retryMs = { first: 1000, longest: 60_000 };

/** A batch of lines of one log, in a file until the sink has accepted it. */
interface LogBatch {
  readonly name: string;
  readonly log: SinkLog;
  readonly lines: number;
  readonly bytes: number;
}

/** Names the place where entries of the logs are stored. */
export abstract class LogDestination {
  /** Host of the sink that receives the logs; undefined without one. */
  abstract readonly host: string | undefined;
  /** True if entries are stored in the database, with or without a sink. */
  abstract readonly isStored: boolean;
}

/**
 * Sends log lines as JSON, one a line, to an address. Batches wait in files and are deleted once the sink has accepted them, so each is sent at least once, the oldest first. A sink that
 * refuses or is away is tried again after growing pauses. Lines of an earlier run are sent with the first of this one. Lines beyond the size of the buffer are dropped and counted: logs hold up no request.
 */
export class LogSink implements LogDestination {
  readonly host: string;
  readonly isStored: boolean;
  private batches: LogBatch[] = [];
  private sequence = 0;
  private dropped = 0;
  private sent = 0;
  private failures = 0;
  private pauseMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | undefined;
  private opened: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  constructor(
    private readonly settings: LogSinkConfiguration,
    private readonly directory: string,
    private readonly log: Log,
  ) {
    this.host = new URL(settings.url.replaceAll('{log}', 'log')).host;
    this.isStored = settings.isStored;
  }

  /** Puts entries into the buffer; they survive a crash of the server once this resolves. Those that do not fit are dropped. */
  async add(log: SinkLog, entries: readonly object[]): Promise<void> {
    await this.open();
    await this.store(log, entries).catch((error) => {
      this.dropped += entries.length;
      this.log.error({ err: error, lost: entries.length }, 'could not write the buffer of the log sink');
    });
    if (this.pauseMs === 0) void this.send();
  }

  private async store(log: SinkLog, entries: readonly object[]): Promise<void> {
    for (const lines of inBatches(entries.map((entry) => `${JSON.stringify({ log, id: randomUUID(), ...entry })}\n`))) {
      const text = lines.join('');
      const bytes = Buffer.byteLength(text);
      if (this.bytes() + bytes > this.settings.bufferBytes) {
        this.dropped += lines.length;
        continue;
      }
      this.sequence += 1;
      const name = `${String(Date.now()).padStart(15, '0')}-${String(this.sequence).padStart(9, '0')}-${log}-${lines.length}-${randomBytes(3).toString('hex')}.ndjson`;
      // A file that a crash has left half written keeps the name of a draft and is removed at the next start.
      await writeFile(join(this.directory, `${name}.draft`), text);
      await rename(join(this.directory, `${name}.draft`), join(this.directory, name));
      this.batches.push({ name, log, lines: lines.length, bytes });
    }
  }

  /** Ends a running request; what was not accepted is sent at the next start. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.sending;
  }

  readonly gauges: readonly GaugeSource[] = [
    { name: 'marquee_log_sink_waiting_lines', help: 'Log lines that the sink has not accepted yet.', read: () => [{ value: this.lines() }] },
    { name: 'marquee_log_sink_waiting_bytes', help: 'Size of these lines in the buffer of this server.', read: () => [{ value: this.bytes() }] },
    { name: 'marquee_log_sink_sent_lines', help: 'Log lines accepted by the sink since the start.', read: () => [{ value: this.sent }] },
    { name: 'marquee_log_sink_dropped_lines', help: 'Log lines dropped since the start because the buffer was full.', read: () => [{ value: this.dropped }] },
    { name: 'marquee_log_sink_failures', help: 'Failed requests to the sink since the last accepted one.', read: () => [{ value: this.failures }] },
  ];

  private lines = () => this.batches.reduce((sum, { lines }) => sum + lines, 0);
  private bytes = () => this.batches.reduce((sum, { bytes }) => sum + bytes, 0);

  private open(): Promise<void> {
    this.opened ??= this.readBuffer();
    return this.opened;
  }

  private async readBuffer(): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    for (const name of (await readdir(this.directory)).sort()) {
      const [, log, lines] = /^\d+-\d+-(api_log|error_log|usual_log)-(\d+)-\w+\.ndjson$/.exec(name) ?? [];
      if (log === undefined) await rm(join(this.directory, name), { force: true });
      else this.batches.push({ name, log: log as SinkLog, lines: Number(lines), bytes: (await stat(join(this.directory, name))).size });
    }
  }

  private send(): Promise<void> {
    this.sending ??= this.sendAll().finally(() => {
      this.sending = undefined;
    });
    return this.sending;
  }

  private async sendAll(): Promise<void> {
    for (let [batch] = this.batches; batch && !this.stopping.signal.aborted; [batch] = this.batches) {
      try {
        await this.post(batch);
      } catch (error) {
        if (!this.stopping.signal.aborted) this.retryLater(error);
        return;
      }
      this.failures = 0;
      this.pauseMs = 0;
      this.sent += batch.lines;
      await rm(join(this.directory, batch.name), { force: true });
      this.batches.shift();
    }
  }

  private async post({ name, log }: LogBatch): Promise<void> {
    await postLines(this.settings, log, await readFile(join(this.directory, name)), this.stopping.signal);
  }

  private retryLater(error: unknown): void {
    this.failures += 1;
    this.pauseMs = Math.min(Math.max(this.pauseMs * 2, retryMs.first), retryMs.longest);
    this.log.warn({ err: error, waiting: this.lines(), pauseMs: this.pauseMs }, 'could not send log lines to the sink');
    this.timer = setTimeout(() => void this.send(), this.pauseMs).unref();
  }
}

/** The destination of the logs without a sink. */
export const storedOnly: LogDestination = { host: undefined, isStored: true };
