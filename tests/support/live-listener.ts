import { onTestFinished } from '@rstest/core';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { liveEvents } from '#shared/live';
import type { TestServer } from './test-server.ts';

/** A console that listens to a test server. */
export interface LiveListener {
  readonly heard: EventSourceMessage[];
  /** Resolves with the next unread event of this name; rejects after three seconds. */
  next(name: string): Promise<{ id: string | undefined; payload: unknown }>;
  readonly ended: Promise<void>;
  cutOff(): void;
}

/** Opens the stream of live events as a console would. */
export async function listen({ app }: Pick<TestServer, 'app'>, headers: Record<string, string>, place = ''): Promise<LiveListener> {
  const reply = await app.inject({
    method: 'GET',
    url: liveEvents.path,
    headers: { ...headers, ...(place === '' ? {} : { 'last-event-id': place }) },
    payloadAsStream: true,
  });
  if (reply.statusCode !== 200) throw new Error(`The stream was answered with ${reply.statusCode}`);
  const stream = reply.stream();
  const heard: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => heard.push(event) });
  stream.on('data', (chunk: Buffer) => parser.feed(chunk.toString()));
  const ended = new Promise<void>((resolve) => stream.once('close', resolve));
  stream.on('error', () => undefined);
  const cutOff = () => void stream.destroy();
  onTestFinished(cutOff);
  let taken = 0;
  const next: LiveListener['next'] = async (name) => {
    for (const start = Date.now(); Date.now() - start < 3000; ) {
      const index = heard.findIndex(({ event }, at) => at >= taken && event === name);
      const found = heard[index];
      if (found) {
        taken = index + 1;
        return { id: found.id, payload: JSON.parse(found.data) };
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`No ${name} was heard: ${JSON.stringify(heard)}`);
  };
  return { heard, next, ended, cutOff };
}
