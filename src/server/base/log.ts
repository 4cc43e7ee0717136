/** Log for the operator of the deployment; pino loggers implement it. */
export interface Log {
  info(details: unknown, message?: string): void;
  warn(details: unknown, message?: string): void;
  error(details: unknown, message?: string): void;
}

/** Logs nothing. */
export const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
