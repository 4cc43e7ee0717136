import { EgressError, HttpTimeoutError, type ServerContext } from '#server';
import type { DeliveryFailure } from '../contract.ts';
import { signedHeaders } from './signing.ts';

const timeoutMs = 10_000;
const maxResponseBytes = 4096;

/** Event that is to be sent. */
export interface OutgoingEvent {
  readonly messageId: string;
  readonly body: string;
}

/** Address of an endpoint, and the secrets that sign its requests. */
export interface EndpointTarget {
  readonly url: string;
  readonly secrets: readonly string[];
}

/** Result of one attempt. */
export interface AttemptResult {
  /** Undefined if the event has arrived. */
  readonly failure: DeliveryFailure | undefined;
  readonly status: number | undefined;
  /** Truncated response, or the error of the connection. */
  readonly response: string;
  readonly durationMs: number;
}

/** Sends an event once, through the egress guard; redirects are not followed. */
export async function sendOnce(egress: ServerContext['egress'], { url, secrets }: EndpointTarget, { messageId, body }: OutgoingEvent): Promise<AttemptResult> {
  const started = performance.now();
  const result = await egress
    .send(new URL(url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        // With a key, the request is sent again at once if the server had just closed the connection.
        'idempotency-key': messageId,
        ...signedHeaders({ id: messageId, at: new Date(), body }, secrets),
      },
      body,
      timeoutMs,
      maxBytes: maxResponseBytes,
    })
    .then(
      ({ status, text }) => ({ failure: status >= 200 && status < 300 ? undefined : ('status' as const), status, response: storableText(text) }),
      (error: unknown) => ({ failure: failureOf(error), status: undefined, response: storableText(error instanceof Error ? error.message : String(error)) }),
    );
  return { ...result, durationMs: Math.round(performance.now() - started) };
}

/** Removes the character that PostgreSQL cannot store. */
const storableText = (text: string): string => text.replaceAll('\0', '');

const failuresByCode: Readonly<Record<string, DeliveryFailure>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EPROTO: 'tls',
};
const tlsCode = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/;

function failureOf(error: unknown): DeliveryFailure {
  if (error instanceof EgressError) return 'blocked';
  if (error instanceof HttpTimeoutError) return 'timeout';
  const { code = '' } = error as NodeJS.ErrnoException;
  return failuresByCode[code] ?? (tlsCode.test(code) ? 'tls' : 'connection');
}
