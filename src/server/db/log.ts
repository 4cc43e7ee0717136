/** What the database layer says to whoever runs the server; a pino logger fits. */
export interface Log {
  info(details: unknown, message: string): void;
  warn(details: unknown, message: string): void;
}

/** Says nothing. */
export const silent: Log = { info: () => undefined, warn: () => undefined };
