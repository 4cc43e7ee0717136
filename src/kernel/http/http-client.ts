import type { Call, InputOf, ReplyOf } from '#shared/contract';
import type { Bus } from '../bus.ts';
import type { ErrorLog } from '../errors/error-log.ts';
import { TransportError } from '../errors/transport-error.ts';
import type { Locale } from '../i18n/locale.ts';
import type { Toasts } from '../shell/toasts.ts';
import { withLists } from './comma-lists.ts';
import { type Answer, Http, type SendOptions } from './http.ts';
import { SessionLocked } from './http-events.ts';
import { judge, unknownError } from './judgement.ts';
import { clientHeader, newIdempotencyKey, placed } from './request.ts';
import { withRetries } from './retries.ts';
import type { Transport, WireRequest } from './transport.ts';

/** What the client must know of the session; the session itself is made of calls. */
export interface Identity {
  readonly accessToken: string;
  /** Another number after every sign-in and sign-out; answers asked for under an older one are dropped. */
  readonly epoch: number;
  refresh(): Promise<boolean>;
  end(reason: 'refused'): void;
}

/** What the client is made of. */
export interface HttpParts {
  readonly transport: Transport;
  readonly identity: () => Identity;
  readonly bus: Bus;
  readonly toasts: Toasts;
  readonly locale: Locale;
  readonly log: ErrorLog;
  readonly clientId: string;
  /** Codes that reject instead of being toasted and answered. */
  readonly statusWhitelist: readonly number[];
}

interface Sending {
  readonly call: Call;
  readonly input: unknown;
  readonly options: SendOptions;
  readonly signal: AbortSignal;
  readonly epoch: number;
  readonly idempotencyKey: string | undefined;
}

/** The kernel's `Http`: headers, one judgement of the envelope, refresh on 401, retries, toasts. */
export class HttpClient extends Http {
  private readonly closing = new AbortController();

  constructor(private readonly parts: HttpParts) {
    super();
  }

  async send<C extends Call>(call: C, input: InputOf<C>, options: SendOptions = {}): Promise<Answer<ReplyOf<C>>> {
    const signal = AbortSignal.any([this.closing.signal, ...(options.signal ? [options.signal] : [])]);
    const idempotencyKey = call.method === 'POST' && call.who !== 'open' ? (options.idempotencyKey ?? newIdempotencyKey()) : undefined;
    const sending: Sending = { call, input, options, signal, idempotencyKey, epoch: this.parts.identity().epoch };
    try {
      const answer = await this.ask(sending);
      if (answer.code >= 500) this.parts.log.record('request', new Error(`${answer.code} ${answer.msg}`), `${call.method} ${call.path}`);
      return answer as Answer<ReplyOf<C>>;
    } catch (error) {
      if (!(error instanceof TransportError) || error.fault !== 'cancelled') this.parts.log.record('request', error, `${call.method} ${call.path}`);
      throw error;
    }
  }

  /** Cancels everything on its way. */
  dispose(): void {
    this.closing.abort();
  }

  private async ask(sending: Sending): Promise<Answer<unknown>> {
    let token = this.parts.identity().accessToken;
    let answer = await this.exchange(sending, token);
    if (answer.code === 401 && sending.call.who !== 'open') {
      if (await this.canContinue(token)) {
        token = this.parts.identity().accessToken;
        answer = await this.exchange(sending, token);
      }
      if (answer.code === 401) return this.refuse(token, answer, sending);
    }
    if (answer.code === 423) this.parts.bus.emit(SessionLocked, { path: sending.call.path });
    else if (!answer.success && !sending.options.quiet) this.parts.toasts.error(answer.msg);
    return answer;
  }

  /** After a 401: true when a newer token is at hand, at once or by a refresh. */
  private async canContinue(failing: string): Promise<boolean> {
    const identity = this.parts.identity();
    if (identity.accessToken !== failing) return identity.accessToken !== '';
    return failing !== '' && (await identity.refresh());
  }

  /** The session ends, and says so, only for the token it still has: of many refused requests one speaks. */
  private refuse(failing: string, answer: Answer<unknown>, { options }: Sending): Answer<unknown> {
    const identity = this.parts.identity();
    const isCurrent = failing !== '' && identity.accessToken === failing;
    if (isCurrent) identity.end('refused');
    if (isCurrent || (failing === '' && !options.quiet)) this.parts.toasts.error(answer.msg);
    return answer;
  }

  private async exchange(sending: Sending, token: string): Promise<Answer<unknown>> {
    const { call, signal, idempotencyKey, epoch } = sending;
    if (signal.aborted) throw new TransportError('cancelled');
    const request = this.requestOf(sending, token);
    const attempt = () => this.parts.transport.request(request);
    const response = await (call.method === 'GET' || idempotencyKey !== undefined ? withRetries(attempt, signal) : attempt());
    if (signal.aborted || (call.who !== 'open' && this.parts.identity().epoch !== epoch)) throw new TransportError('cancelled');
    const answer = judge(response, call, this.parts.locale.say(unknownError));
    if (this.parts.statusWhitelist.includes(answer.code)) throw new TransportError('whitelisted', { code: answer.code, words: [answer.msg, answer.msg] });
    return answer.success ? { ...answer, data: withLists(answer.data, call.reply) } : answer;
  }

  private requestOf({ call, input, options, signal, idempotencyKey }: Sending, token: string): WireRequest {
    const headers = {
      Authorization: clientHeader(this.parts.clientId),
      'Accept-Language': this.parts.locale.language === 'zh' ? 'zh-CN' : 'en',
      ...(token !== '' && !call.bare ? { 'Things-Auth': `bearer ${token}` } : {}),
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...options.headers,
    };
    return { method: call.method, path: call.path, headers, signal, onProgress: options.onProgress, ...placed(call, input, options.file) };
  }
}
