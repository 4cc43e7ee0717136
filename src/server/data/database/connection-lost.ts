/**
 * The database cannot be reached or no longer answers; the last statement may or may not have been executed. The code is PostgreSQL's for a failed connection, so
 * callers are asked to retry.
 */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  readonly code = '08006';
}

const lostCodes = /^(08...|57P0[123]|25006|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE)$/;
const lostMessages = /^(Connection terminated|Client was closed|Client has encountered a connection error|Query read timeout|timeout e)/;

/** Tests for errors after which a connection must not be reused: it is closed, or its server is shutting down or read-only. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message = '' } = error as { code?: string; message?: string };
  return code === undefined ? lostMessages.test(message) : lostCodes.test(code);
}

/** Adds the code to losses that the driver only reports by their message, so that callers can rely on the code. */
export function withLossCode(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  return code === undefined && isConnectionLost(error) ? new ConnectionLost(message, { cause: error }) : error;
}
