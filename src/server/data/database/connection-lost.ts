/**
 * Thrown when the database cannot be reached or no longer answers. The last statement may or may not have been executed. The code is the one that PostgreSQL uses for a
 * failed connection, so that callers are asked to retry.
 */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
  readonly code = '08006';
}

const lostCodes = /^(08...|57P0[123]|25006|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE)$/;
const lostMessages = /^(Connection terminated|Client was closed|Client has encountered a connection error|Query read timeout|timeout e)/;

/** Tests for errors after which a connection must not be reused: it is closed, or its server is shutting down or read-only. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message = '' } = error as { code?: string; message?: string };
  return code === undefined ? lostMessages.test(message) : lostCodes.test(code);
}

/** Converts an error that the driver reports only by its message to one with a code, so that callers can rely on the code. */
export function withConnectionCode(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  return code === undefined && isConnectionLost(error) ? new ConnectionLostError(message, { cause: error }) : error;
}
