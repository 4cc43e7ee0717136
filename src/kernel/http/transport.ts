/** One HTTP request, down to the bytes. */
export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: WireBody;
  readonly signal: AbortSignal;
}

/** What a POST carries. */
export type WireBody = { readonly json: unknown } | { readonly form: Readonly<Record<string, string>> };

/** An HTTP response with a status from 200 to 500; `body` is parsed JSON where it was JSON, text otherwise. */
export interface WireResponse {
  readonly status: number;
  readonly body: unknown;
}

/** Carries requests; rejects with a `TransportError` when there is no answer, or one with a status outside of 200 to 500. */
export abstract class Transport {
  abstract request(request: WireRequest): Promise<WireResponse>;
}
