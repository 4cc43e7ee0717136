import type { TSchema } from 'typebox';
import type { Call } from '#shared/contract';
import { problems, Refusal } from '#shared/errors';
import { type Language, say, type Words } from '#shared/text';
import { quotaReached, quotaState } from '../tenancy/account-quota.ts';

/** What every granted request is answered with. */
export const done: Words = ['操作成功', 'Done'];
const nothingThere: Words = ['暂无承载数据', 'No data'];

/** What the wire calls `R<T>`; the order of its keys is the family's. */
export interface Envelope {
  readonly code: number;
  readonly success: boolean;
  readonly data: unknown;
  readonly msg: string;
  readonly field?: string;
}

/** The schema a reply is written by: what it does not name never leaves the server. */
export function replySchema({ reply, bare }: Call): TSchema {
  if (bare) return reply;
  return envelopeSchema(reply);
}

/** The envelope around a reply. */
export function envelopeSchema(data: TSchema): TSchema {
  const properties = { code: { type: 'integer' }, success: { type: 'boolean' }, data, msg: { type: 'string' } };
  return { type: 'object', required: Object.keys(properties), properties } as TSchema;
}

/** Whether a call promises data at all. */
const isWrite = ({ reply }: Call) => (reply as { type?: unknown }).type === 'null';

/** A granted request's body as text. `write` turns a value into JSON by a schema. */
export function successBody(call: Call, data: unknown, language: Language, write: (value: unknown, schema: TSchema) => string, schema: TSchema): string {
  if (call.bare) return write(data, schema);
  if (data !== null && data !== undefined) return write({ code: 200, success: true, data, msg: say(done, language) }, schema);
  return JSON.stringify({ code: 200, success: true, data: null, msg: say(isWrite(call) ? done : nothingThere, language) } satisfies Envelope);
}

/** A refused request's body: the field at fault, where it is one's. A server error says nothing but the id under which the log has it. */
export function refusalBody(refusal: Refusal, language: Language, requestId: string): object {
  const { problem, field, data = null } = refusal;
  const { status } = problem;
  const envelope: Envelope = { code: status, success: false, data, msg: refusal.text(language), ...(field === undefined ? {} : { field }) };
  return status >= 500 ? { ...envelope, requestId } : envelope;
}

interface Failure {
  readonly statusCode?: number;
  readonly code?: string;
  readonly cause?: unknown;
}

/** What the caller is told about anything that was thrown; whatever nobody foresaw is `internal`. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { statusCode = 500, code = '' } = error as Failure;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return new Refusal(problems.tooLarge);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refusal(problems.unsupportedMediaType);
  if (code === 'FST_ERR_BAD_URL') return new Refusal(problems.badRequest);
  if (statusCode >= 400 && statusCode < 500) return new Refusal(problems.unreadable, {}, { cause: error });
  return new Refusal(databaseProblem(error) ?? problems.internal, {}, { cause: error });
}

/** PostgreSQL's own refusals: the net under validation, by SQLSTATE. */
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
  for (let current = error as Failure | undefined, depth = 0; current && depth < 5; current = current.cause as Failure | undefined, depth += 1) {
    if (typeof current.code === 'string' && (/^[0-9A-Z]{5}$/.test(current.code) || unreachable.has(current.code))) return current.code;
  }
  return undefined;
}
