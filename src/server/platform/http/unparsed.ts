import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, type Problem, problem, problems } from '#shared/errors';
import { errorBody } from './envelope.ts';

const timedOut = problem(408, ['请求超时', 'The request timed out.']);
const headersTooLarge = problem(431, ['请求头过大', 'The request headers are too large.']);

/** Errors by the codes of Node.js for bytes that never become a request. */
const problemsByCode: Readonly<Record<string, Problem>> = { ERR_HTTP_REQUEST_TIMEOUT: timedOut, HPE_HEADER_OVERFLOW: headersTooLarge };

/**
 * Answers bytes that are not HTTP with an error envelope and the security headers, and closes the connection. The message is in Chinese, because the sender's language is
 * unknown.
 */
export function rejectUnparsed(error: Error & { code?: string }, socket: Duplex, headers: Readonly<Record<string, string>>): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const refusal = new ApiError(problemsByCode[error.code ?? ''] ?? problems.unreadable);
  const { status } = refusal.problem;
  const body = JSON.stringify(errorBody(refusal, 'zh', ''));
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  if (socket.writable) socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  socket.destroy();
}
