import pg from 'pg';
import type { Log } from './log.ts';

const channel = 'marquee';

/** Hears what any replica tells all, on a connection of its own that is opened again whenever it is lost. */
export class Signals {
  private client: pg.Client | undefined;
  private closed = false;
  private again: NodeJS.Timeout | undefined;
  private readonly listeners: ((topic: string, payload: string) => void)[] = [];

  constructor(
    private readonly url: string,
    private readonly log: Log,
  ) {}

  static notification(this: void, topic: string, payload: string): { text: string; parameters: unknown[] } {
    return { text: 'select pg_notify($1, $2)', parameters: [channel, JSON.stringify([topic, payload])] };
  }

  listen(listener: (topic: string, payload: string) => void): void {
    this.listeners.push(listener);
  }

  async connect(): Promise<void> {
    const client = new pg.Client({ connectionString: this.url, application_name: 'marquee signals', keepAlive: true });
    this.client = client;
    client.on('error', (error) => this.log.warn(error, 'the database connection for signals failed'));
    client.on('end', () => this.reconnect(client));
    client.on('notification', ({ payload }) => this.hear(payload ?? ''));
    await client.connect();
    await client.query(`listen ${channel}`);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.again);
    await this.client?.end().catch(() => undefined);
  }

  private hear(message: string): void {
    const [topic, payload] = JSON.parse(message) as [string, string];
    for (const listener of this.listeners) listener(topic, payload);
  }

  private reconnect(lost: pg.Client): void {
    if (this.closed || this.client !== lost) return;
    this.again = setTimeout(() => {
      this.connect().catch((error: unknown) => {
        this.log.warn(error, 'the database connection for signals is not back yet');
        if (this.client) this.reconnect(this.client);
      });
    }, 500);
  }
}
