import type { Words } from '#shared/text';

/** Why a request has no answer. */
export type TransportFault = 'timeout' | 'offline' | 'unreachable' | 'unavailable' | 'unreadable' | 'cancelled' | 'whitelisted';

const wordsOf: Readonly<Record<TransportFault, Words>> = {
  timeout: ['请求超时，请稍后再试', 'The server took too long to answer. Try again.'],
  offline: ['网络已断开，请检查网络连接', 'You are offline. Check your network connection.'],
  unreachable: ['无法连接服务器，请稍后再试', 'Cannot reach the server. Try again.'],
  unavailable: ['服务暂不可用，请稍后再试', 'The service is not available right now. Try again later.'],
  unreadable: ['服务器返回了无法识别的内容', 'The server sent a reply that could not be read.'],
  cancelled: ['请求已取消', 'The request was cancelled.'],
  whitelisted: ['请求未完成', 'The request was not completed.'],
};

/** A request that got no answer, or one whose code the deployment wants rejected; `words` are for the operator. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly words: Words;
  /** HTTP status or envelope code, where there was one. */
  readonly code: number | undefined;

  constructor(
    readonly fault: TransportFault,
    given: { readonly code?: number | undefined; readonly words?: Words; readonly cause?: unknown } = {},
  ) {
    const words = given.words ?? wordsOf[fault];
    super(words[1], given.cause === undefined ? {} : { cause: given.cause });
    this.words = words;
    this.code = given.code;
  }
}
