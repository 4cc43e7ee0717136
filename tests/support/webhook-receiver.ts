import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** Request that a receiver got. */
export interface ReceivedEvent {
  readonly path: string;
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Reply of a receiver; a promise delays it. */
export interface ReceiverReply {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** HTTP server of a tenant on this machine, which verifies signatures with the library of the Standard Webhooks specification. */
export async function openWebhookReceiver() {
  const received: ReceivedEvent[] = [];
  const script = { reply: (_request: ReceivedEvent): ReceiverReply | Promise<ReceiverReply> => ({ status: 204 }) };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', async () => {
      const got = { path: request.url ?? '', id: String(request.headers['webhook-id']), headers: request.headers, body: Buffer.concat(parts).toString() };
      received.push(got);
      const { status, body = '', headers = {} } = await script.reply(got);
      response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return {
    url,
    received,
    /** Returns the ids of the messages that arrived, in their order. */
    ids: () => received.map(({ id }) => id),
    /** Replies in another way from now on. */
    reply(answer: (request: ReceivedEvent) => ReceiverReply | Promise<ReceiverReply>) {
      script.reply = answer;
    },
    /** Returns the verified content of a request; throws for a wrong signature. */
    verify: (secret: string, { body, headers }: ReceivedEvent) => new Webhook(secret).verify(body, headers as Record<string, string>) as SentEvent,
    clear() {
      received.length = 0;
      script.reply = () => ({ status: 204 });
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Content of an event. */
export interface SentEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export type WebhookReceiver = Awaited<ReturnType<typeof openWebhookReceiver>>;
