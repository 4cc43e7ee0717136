import { oauth } from '#shared/auth';
import type { Call, InputOf, ReplyOf } from '#shared/contract';
import type { Bus } from '../../base/bus/bus.ts';
import type { ErrorLog } from '../errors/error-log.ts';
import type { Toasts } from '../feedback/toasts.ts';
import type { Locale } from '../i18n/locale.ts';
import { parseEnvelope, unknownError } from './envelope.ts';
import { type Answer, Http, type SendOptions, SessionLocked } from './http.ts';
import { newIdempotencyKey, requestParts } from './request.ts';
import { withRetries } from './retries.ts';
import type { Transport, WireRequest } from './transport.ts';
import { TransportError } from './transport-error.ts';

interface CommaListSchema {
  readonly type?: string | readonly string[];
  readonly field?: { readonly comma?: boolean };
  readonly items?: CommaListSchema;
  readonly properties?: Readonly<Record<string, CommaListSchema>>;
}

const commaListCache = new WeakMap<object, boolean>();

/** Replaces the comma-separated texts of an answer with the lists they stand for, by the schema of the reply; other values are unchanged. */
export function withLists(value: unknown, schema: object): unknown {
  return hasCommaList(schema) ? parseCommaLists(value, schema) : value;
}

function parseCommaLists(value: unknown, schema: CommaListSchema): unknown {
  if (schema.field?.comma && typeof value === 'string') return value === '' ? [] : value.split(',');
  if (Array.isArray(value))
    return schema.items && hasCommaList(schema.items) ? value.map((item) => parseCommaLists(item, schema.items as CommaListSchema)) : value;
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(schema.properties ?? {}).filter(([name, part]) => name in value && hasCommaList(part));
  return parts.length === 0
    ? value
    : { ...value, ...Object.fromEntries(parts.map(([name, part]) => [name, parseCommaLists((value as Record<string, unknown>)[name], part)])) };
}

/** Checks whether the schema contains a comma-separated list at any depth. Recursive schemas contain none. */
function hasCommaList(schema: CommaListSchema): boolean {
  const cached = commaListCache.get(schema);
  if (cached !== undefined) return cached;
  const nested = [schema.items, ...Object.values(schema.properties ?? {})];
  const containsList = schema.field?.comma === true || nested.some((part) => part !== undefined && hasCommaList(part));
  commaListCache.set(schema, containsList);
  return containsList;
}

/** The part of the session that the client needs: the session itself depends on the client. */
export interface ClientSession {
  readonly accessToken: string;
  /** Changes with every sign-in and sign-out; answers to requests of an older epoch are dropped. */
  readonly epoch: number;
  refresh(): Promise<boolean>;
  end(reason: 'refused'): void;
}

/** Dependencies of `HttpClient`. */
export interface HttpClientDeps {
  readonly transport: Transport;
  readonly identity: () => ClientSession;
  readonly bus: Bus;
  readonly toasts: Toasts;
  readonly locale: Locale;
  readonly log: ErrorLog;
  readonly clientId: string;
  /** Headers that name the client; empty where the token endpoint gets the client's id in its body. */
  readonly clientHeaders: Readonly<Record<string, string>>;
  /** Codes that reject with a `TransportError` instead of being shown as a toast and returned. */
  readonly statusWhitelist: readonly number[];
  /** Asks the user to confirm their identity and resolves with whether they did. */
  readonly prove: () => Promise<boolean>;
}

interface PendingCall {
  readonly call: Call;
  readonly input: unknown;
  readonly options: SendOptions;
  readonly signal: AbortSignal;
  readonly epoch: number;
  readonly idempotencyKey: string | undefined;
}

/** Code of a call that requires a fresh proof of identity. */
const proofRequired = 428;

/** Implements `Http`: headers, parsing of the envelope, refresh on 401, a fresh proof of identity on 428, retries and toasts. */
export class HttpClient extends Http {
  private readonly disposal = new AbortController();

  constructor(private readonly deps: HttpClientDeps) {
    super();
  }

  async send<C extends Call>(call: C, input: InputOf<C>, options: SendOptions = {}): Promise<Answer<ReplyOf<C>>> {
    const signal = AbortSignal.any([this.disposal.signal, ...(options.signal ? [options.signal] : [])]);
    const idempotencyKey = call.method === 'POST' && call.access !== 'open' ? (options.idempotencyKey ?? newIdempotencyKey()) : undefined;
    const pending: PendingCall = { call, input, options, signal, idempotencyKey, epoch: this.deps.identity().epoch };
    try {
      const answer = await this.sendWithRefresh(pending);
      if (answer.code >= 500) this.deps.log.record('request', new Error(`${answer.code} ${answer.msg}`), `${call.method} ${call.path}`);
      return answer as Answer<ReplyOf<C>>;
    } catch (error) {
      if (!(error instanceof TransportError) || error.fault !== 'cancelled') this.deps.log.record('request', error, `${call.method} ${call.path}`);
      throw error;
    }
  }

  /** Cancels all pending requests. */
  dispose(): void {
    this.disposal.abort();
  }

  private async sendWithRefresh(pending: PendingCall): Promise<Answer<unknown>> {
    let token = this.deps.identity().accessToken;
    let answer = await this.exchange(pending, token);
    if (answer.code === 401 && pending.call.access !== 'open') {
      if (await this.hasNewToken(token)) {
        token = this.deps.identity().accessToken;
        answer = await this.exchange(pending, token);
      }
      if (answer.code === 401) return this.onUnauthorized(token, answer, pending);
    }
    if (answer.code === proofRequired) {
      if (!(await this.deps.prove())) return answer;
      answer = await this.exchange(pending, this.deps.identity().accessToken);
    }
    if (answer.code === 423) this.deps.bus.emit(SessionLocked, { path: pending.call.path });
    else if (!answer.success && !pending.options.quiet && !pending.options.isHandled?.(answer)) this.deps.toasts.error(answer.msg);
    return answer;
  }

  /** After a 401, resolves true when a newer token is available, already or after a refresh. */
  private async hasNewToken(refusedToken: string): Promise<boolean> {
    const identity = this.deps.identity();
    if (identity.accessToken !== refusedToken) return identity.accessToken !== '';
    return refusedToken !== '' && (await identity.refresh());
  }

  /** Ends the session and shows the message only for its current token, so that of many refused requests only one reports. */
  private onUnauthorized(refusedToken: string, answer: Answer<unknown>, { options }: PendingCall): Answer<unknown> {
    const identity = this.deps.identity();
    const isCurrent = refusedToken !== '' && identity.accessToken === refusedToken;
    if (isCurrent) identity.end('refused');
    if (isCurrent || (refusedToken === '' && !options.quiet)) this.deps.toasts.error(answer.msg);
    return answer;
  }

  private async exchange(pending: PendingCall, token: string): Promise<Answer<unknown>> {
    const { call, signal, idempotencyKey, epoch } = pending;
    if (signal.aborted) throw new TransportError('cancelled');
    const request = this.requestOf(pending, token);
    const attempt = () => this.deps.transport.request(request);
    const response = await (call.method === 'GET' || idempotencyKey !== undefined ? withRetries(attempt, signal) : attempt());
    if (signal.aborted || (call.access !== 'open' && this.deps.identity().epoch !== epoch)) throw new TransportError('cancelled');
    const answer = parseEnvelope(response, call, this.deps.locale.t(unknownError));
    if (this.deps.statusWhitelist.includes(answer.code))
      throw new TransportError('whitelisted', { code: answer.code, localizedMessage: [answer.msg, answer.msg] });
    return answer.success ? { ...answer, data: withLists(answer.data, call.reply) } : answer;
  }

  private requestOf({ call, input, options, signal, idempotencyKey }: PendingCall, token: string): WireRequest {
    const { clientHeaders } = this.deps;
    const headers = {
      ...(call.clientHeader === false ? {} : clientHeaders),
      'Accept-Language': this.deps.locale.language === 'zh' ? 'zh-CN' : 'en',
      ...(token !== '' && !call.bare ? { 'Things-Auth': `bearer ${token}` } : {}),
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...options.headers,
    };
    return {
      method: call.method,
      path: call.path,
      headers,
      signal,
      onProgress: options.onProgress,
      ...(options.keepAlive ? { keepAlive: true } : {}),
      ...requestParts(call, this.withClientId(call, input), options.file),
    };
  }

  /** Without a header, the input of the token endpoint names the client. */
  private withClientId(call: Call, input: unknown): unknown {
    return call.path === oauth.token.path && !('Authorization' in this.deps.clientHeaders) ? { client_id: this.deps.clientId, ...(input as object) } : input;
  }
}
