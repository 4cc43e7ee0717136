import type { Call } from '#shared/contract';
import { isEmpty, type LocalizedText } from '#shared/text';
import type { Answer } from './http.ts';
import type { WireResponse } from './transport.ts';
import { TransportError } from './transport-error.ts';

/** Fallback for a failure without a message from the server. */
export const unknownError: LocalizedText = ['未知错误', 'Unknown error'];

type ReceivedEnvelope = {
  readonly code?: unknown;
  readonly data?: unknown;
  readonly msg?: unknown;
  readonly error_description?: unknown;
  readonly field?: unknown;
};

/**
 * Parses a response. The code of the body decides, or else the HTTP status. The message is `msg`, or else `error_description`, or else, for a failure,
 * `fallbackMessage`. The data of a `bare` call is the whole body, and its `error_description` is a failure even with code 200. A body that is not a JSON object is
 * ignored; with status 200 it throws, unless it is empty.
 */
export function parseEnvelope({ status, body }: WireResponse, { bare = false }: Pick<Call, 'bare'>, fallbackMessage: string): Answer<unknown> {
  const envelope = envelopeOf(body, status);
  const message = [envelope.msg, envelope.error_description].find((text) => typeof text === 'string' && !isEmpty(text.trim())) as string | undefined;
  const code = codeOf(envelope, status);
  const { field, data: details } = envelope;
  const extra = { ...(typeof field === 'string' ? { field } : {}), ...(isEmpty(details) ? {} : { details }), ...(bare ? { body } : {}) };
  if (code !== 200) return { success: false, code, data: null, msg: message ?? fallbackMessage, ...extra };
  if (bare && !isEmpty(envelope.error_description)) return { success: false, code: 400, data: null, msg: message ?? fallbackMessage, body };
  return { success: true, code: 200, data: bare ? body : (envelope.data ?? null), msg: message ?? '' };
}

function envelopeOf(body: unknown, status: number): ReceivedEnvelope {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  if (status === 200 && !isEmpty(body)) throw new TransportError('unreadable', { code: status });
  return {};
}

/** Codes arrive as numbers or as strings of digits; an absent or non-integer one leaves the decision to the HTTP status, where all of 2xx is success. */
function codeOf({ code }: ReceivedEnvelope, status: number): number {
  const numericCode = isEmpty(code) ? Number.NaN : Number(code);
  if (Number.isInteger(numericCode)) return numericCode;
  return status >= 200 && status < 300 ? 200 : status;
}
