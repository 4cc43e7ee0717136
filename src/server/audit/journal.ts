import type { LogLevel } from '#shared/usual-log';

/** Something the server did or found of its own accord. */
export interface JournalEntry {
  readonly level: LogLevel;
  /** What it was, `domain:what-happened`; 64 characters at most. */
  readonly event: string;
  /** What is worth knowing about it; kept as JSON without secrets. */
  readonly data?: unknown;
  /** Whose log it stands in; the platform's unless said. */
  readonly tenant?: string;
}

/** The usual log: what administrators read of what the server does unasked. */
export abstract class Journal {
  /** Written a moment later, whatever becomes of the work under way; never in the way of it. */
  abstract note(entry: JournalEntry): void;
}

/** The entry by which a log says how many lines it had no room for. */
export const linesDropped = 'log:lines-dropped';
