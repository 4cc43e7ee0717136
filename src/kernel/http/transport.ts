/** One HTTP request, down to the bytes. */
export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: WireBody;
  readonly signal: AbortSignal;
  /** Told which part of a file has left, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** What a POST carries. */
export type WireBody =
  | { readonly json: unknown }
  | { readonly form: Readonly<Record<string, string>> }
  | { readonly file: File; readonly fields: Readonly<Record<string, string>> };

/** An HTTP response with a status from 200 to 500; `body` is parsed JSON where it was JSON, text otherwise. */
export interface WireResponse {
  readonly status: number;
  readonly body: unknown;
}

/** A response that is read while it is still being written; its body ends with the request's signal. */
export interface WireStream {
  readonly status: number;
  readonly body: ReadableStream<Uint8Array> | undefined;
}

/** Carries requests; rejects with a `TransportError` when there is no answer, or one with a status outside of 200 to 500. */
export abstract class Transport {
  abstract request(request: WireRequest): Promise<WireResponse>;
  /** Resolves with any status as soon as the response begins; without a time-out. */
  abstract open(request: WireRequest): Promise<WireStream>;
}
