import type { TSchema } from 'typebox';
import { BatchReply, type Call } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import { isEmpty, type Language, type LocalizedText, localize } from '#shared/text';
import { quotaReached, quotaState } from '../../data/repository/write-problems.ts';

/** Default message of a successful request. */
export const doneMessage: LocalizedText = ['操作成功', 'Done'];
const effectMessages = {
  added: ['新增成功', 'Added'],
  updated: ['更新成功', 'Updated'],
  removed: ['删除成功', 'Deleted'],
} as const satisfies Record<string, LocalizedText>;
const noDataMessage: LocalizedText = ['暂无承载数据', 'No data'];

/** Reply envelope, called `R<T>` by BladeX-compatible clients, which also fix the order of its keys. */
export interface Envelope {
  readonly code: number;
  readonly success: boolean;
  readonly data: unknown;
  readonly msg: string;
  readonly field?: string;
}

/** Returns the schema that serializes a reply; properties it does not name are never sent. */
export function replySchema({ reply, bare }: Call): TSchema {
  if (bare) return reply;
  return envelopeSchema(reply);
}

/** Wraps a reply schema in the envelope. */
export function envelopeSchema(data: TSchema): TSchema {
  const properties = { code: { type: 'integer' }, success: { type: 'boolean' }, data, msg: { type: 'string' } };
  return { type: 'object', required: Object.keys(properties), properties } as TSchema;
}

/** Tests whether a call returns no data; that of a batch describes only what was not done. */
const returnsNoData = ({ reply }: Call) => reply === BatchReply || (reply as { type?: unknown }).type === 'null';

/** Returns the message for the effect of a call; `input` is the input of its handler. */
function successMessage({ access, effect = typeof access === 'object' && 'add' in access ? 'saved' : undefined }: Call, input: unknown): LocalizedText {
  if (effect === undefined) return doneMessage;
  if (effect !== 'saved') return effectMessages[effect];
  return isEmpty((input as { id?: unknown }).id) ? effectMessages.added : effectMessages.updated;
}

/** Serializes the body of a successful request. `write` converts a value to JSON by a schema. */
export function successBody(
  call: Call,
  input: unknown,
  data: unknown,
  language: Language,
  write: (value: unknown, schema: TSchema) => string,
  schema: TSchema,
): string {
  if (call.bare) return write(data, schema);
  if (data !== null && data !== undefined) return write({ code: 200, success: true, data, msg: localize(successMessage(call, input), language) }, schema);
  return JSON.stringify({
    code: 200,
    success: true,
    data: null,
    msg: localize(returnsNoData(call) ? successMessage(call, input) : noDataMessage, language),
  } satisfies Envelope);
}

/** Builds the body of an error, with the invalid field if any. A server error only contains the request id for the log. */
export function errorBody(refusal: ApiError, language: Language, requestId: string): object {
  const { problem, field, data = null } = refusal;
  const { status } = problem;
  const envelope: Envelope = { code: status, success: false, data, msg: refusal.text(language), ...(field === undefined ? {} : { field }) };
  return status >= 500 ? { ...envelope, requestId } : envelope;
}

interface FailureReply {
  readonly statusCode?: number;
  readonly code?: string;
  readonly cause?: unknown;
}

/** Converts any thrown value to an error for the caller; unexpected ones become `internal`. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { statusCode = 500, code = '' } = error as FailureReply;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return new ApiError(problems.tooLarge);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new ApiError(problems.unsupportedMediaType);
  if (code === 'FST_ERR_BAD_URL') return new ApiError(problems.badRequest);
  if (statusCode >= 400 && statusCode < 500) return new ApiError(problems.unreadable, {}, { cause: error });
  return new ApiError(databaseProblem(error) ?? problems.internal, {}, { cause: error });
}

/** Maps PostgreSQL errors by SQLSTATE, in case validation has missed something. */
function databaseProblem(error: unknown) {
  const state = stateOf(error);
  if (state === undefined) return undefined;
  if (state === quotaState) return quotaReached;
  if (unreachable.has(state)) return problems.unavailable;
  if (state.startsWith('22') || state === '23502' || state === '23514') return problems.badRequest;
  if (state === '23505' || state === '23503' || state === '40001' || state === '40P01') return problems.conflict;
  if (state === '42501') return problems.forbidden;
  if (state.startsWith('08') || state.startsWith('53') || state.startsWith('57')) return problems.unavailable;
  return undefined;
}

const unreachable = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND']);

function stateOf(error: unknown): string | undefined {
  for (let current = error as FailureReply | undefined, depth = 0; current && depth < 5; current = current.cause as FailureReply | undefined, depth += 1) {
    if (typeof current.code === 'string' && (/^[0-9A-Z]{5}$/.test(current.code) || unreachable.has(current.code))) return current.code;
  }
  return undefined;
}
