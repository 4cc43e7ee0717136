/** Time-out of a request in milliseconds. Uploads have longer, and a stream of live events has no limit. */
export const requestTimeoutMs = 10_000;

/** One HTTP request as it is sent. */
export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: WireBody;
  readonly signal: AbortSignal;
  /** True if the browser completes the request after its page is closed. */
  readonly keepAlive?: boolean;
  /** Receives the fraction of a file that has been sent, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** Body of a POST. */
export type WireBody =
  | { readonly json: unknown }
  | { readonly form: Readonly<Record<string, string>> }
  | { readonly text: string }
  | { readonly file: File; readonly fields: Readonly<Record<string, string>> };

/** An HTTP response with a status from 200 to 500; `body` is parsed JSON where it was JSON, text otherwise. */
export interface WireResponse {
  readonly status: number;
  readonly body: unknown;
  /** W3C's `traceresponse`, where the server sends it. */
  readonly traceresponse?: string;
}

/** A streamed response; aborting the request's signal ends its body. */
export interface WireStream {
  readonly status: number;
  readonly body: ReadableStream<Uint8Array> | undefined;
}

/** Carries requests. It rejects with a `TransportError` when there is no answer or the status is outside 200 to 500. */
export abstract class Transport {
  abstract request(request: WireRequest): Promise<WireResponse>;
  /** Resolves with any status as soon as the response begins; it has no time-out. */
  abstract open(request: WireRequest): Promise<WireStream>;
}
