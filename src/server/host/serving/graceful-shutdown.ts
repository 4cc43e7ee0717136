import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { App } from '../../platform/http/app.ts';

const turnsToRead = 8;
const tickMs = 50;

/**
 * Stops a server without failing requests: it reports not ready immediately, answers as before for the given seconds, and closes connections with their response in the
 * second half, so that load balancers move on before the server stops listening.
 */
export class GracefulShutdown {
  /** True once the server has been asked to stop. */
  hasBegun = false;
  private endsConnections = false;

  constructor(private readonly seconds: number) {}

  /** Makes the replies of an app end their connections when it is time. */
  follow(app: App): void {
    app.addHook('onSend', async (_request, reply) => {
      if (this.endsConnections) reply.header('connection', 'close');
    });
  }

  /** Resolves when the server may stop listening. */
  async run(): Promise<void> {
    this.hasBegun = true;
    await this.answerFor(this.seconds * 500);
    this.endsConnections = true;
    await this.answerFor(this.seconds * 500);
    // A busy server first reads what has arrived: otherwise a connection with an unread request would be closed as idle.
    for (let turn = 0; turn < turnsToRead; turn += 1) await nextTurn();
  }

  /** Waits for time in which requests can be answered; a blocked process could not tell load balancers that it is stopping. */
  private async answerFor(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= tickMs) await pause(Math.min(left, tickMs));
  }
}
