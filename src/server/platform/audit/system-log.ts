import type { LogLevel } from '#shared/system-log';

/** An event in the server's background work. */
export interface SystemLogEntry {
  readonly level: LogLevel;
  /** Event name, `domain:what-happened`; at most 64 characters. */
  readonly event: string;
  /** Details of the event; stored as JSON without secrets. */
  readonly data?: unknown;
  /** Tenant whose log contains the entry; defaults to the platform. */
  readonly tenant?: string;
}

/** The system log: events of background work, for administrators. */
export abstract class SystemLog {
  /** Writes the entry a moment later, independently of the current transaction and without delaying it. */
  abstract log(entry: SystemLogEntry): void;
}

/** Event by which a log reports how many entries it had to drop. */
export const linesDropped = 'log:lines-dropped';
