const requestTimeoutMs = 30_000;
const maxBatchBytes = 4_000_000;

/** A receiver of lines; `{log}` in its address stands for the name of the log. */
interface LineReceiver {
  readonly url: string;
  /** Value of the header `Authorization`. */
  readonly authorization: string | undefined;
}

/** Sends lines of one log to an address by POST; rejects unless they were accepted. */
export async function postLines({ url, authorization }: LineReceiver, log: string, body: string | Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<void> {
  const response = await fetch(url.replaceAll('{log}', log), {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', ...(authorization === undefined ? {} : { authorization }) },
    body,
    signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
    redirect: 'error',
  });
  const reply = await response.text();
  // ClickHouse states some errors behind a status of success.
  const failure = response.headers.get('x-clickhouse-exception-code') ?? (response.ok ? undefined : response.status);
  if (failure !== undefined) throw new Error(`The log sink replied ${failure}: ${reply.slice(0, 200)}`);
}

/** Splits lines into batches of a size that collectors accept. */
export function* inBatches(lines: readonly string[]): Generator<string[]> {
  let batch: string[] = [];
  let length = 0;
  for (const line of lines) {
    if (batch.length > 0 && length + line.length > maxBatchBytes) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(line);
    length += line.length;
  }
  if (batch.length > 0) yield batch;
}
