import type { LocalizedText } from '#shared/text';
import type { Toasts } from '../feedback/toasts.ts';
import type { Locale } from '../i18n/locale.ts';

/** Reasons for a request without an answer. */
export type TransportFault = 'timeout' | 'offline' | 'unreachable' | 'unavailable' | 'unreadable' | 'cancelled' | 'whitelisted';

const faultTexts: Readonly<Record<TransportFault, LocalizedText>> = {
  timeout: ['请求超时，请稍后再试', 'The request timed out. Try again.'],
  offline: ['网络已断开，请检查网络连接', 'You are offline. Check your network connection.'],
  unreachable: ['无法连接服务器，请稍后再试', 'Cannot reach the server. Try again.'],
  unavailable: ['服务暂不可用，请稍后再试', 'The service is temporarily unavailable. Try again later.'],
  unreadable: ['服务器返回的内容无法识别', 'The server returned an invalid response.'],
  cancelled: ['请求已取消', 'The request was cancelled.'],
  whitelisted: ['请求未完成', 'The request was not completed.'],
};

/** Thrown for a request without an answer, or one whose code the deployment rejects; `localizedMessage` is shown to the operator. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly localizedMessage: LocalizedText;
  /** HTTP status or envelope code, where there was one. */
  readonly code: number | undefined;

  constructor(
    readonly fault: TransportFault,
    options: { readonly code?: number | undefined; readonly localizedMessage?: LocalizedText; readonly cause?: unknown } = {},
  ) {
    const localizedMessage = options.localizedMessage ?? faultTexts[fault];
    super(localizedMessage[1], options.cause === undefined ? {} : { cause: options.cause });
    this.localizedMessage = localizedMessage;
    this.code = options.code;
  }
}

/** Shows why a request has no answer, unless it was cancelled. Returns false for any other error. */
export function showTransportError(error: unknown, toasts: Pick<Toasts, 'error'>, locale: Pick<Locale, 't'>): boolean {
  if (!(error instanceof TransportError)) return false;
  if (error.fault !== 'cancelled') toasts.error(locale.t(error.localizedMessage));
  return true;
}
