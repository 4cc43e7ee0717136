import { plugins } from '#deployment/server';
import type { InstalledPlugin } from '../../src/server/host/plugin-host/plugin.ts';
import type { TestServer } from './test-server.ts';

/** The plugin `webhooks`, which sends only when a test says so. */
export function pausedWebhooks() {
  const installed = plugins.find(({ plugin: { id } }) => id === 'webhooks') as InstalledPlugin;
  const { plugin } = installed;
  let poll: () => Promise<void> = async () => undefined;
  const setup: typeof plugin.setup = (context) => {
    const { tasks = [], ...contributions } = plugin.setup?.(context) ?? {};
    poll = async () => {
      for (const { run } of tasks) await run(new AbortController().signal);
    };
    return contributions;
  };
  return {
    installed: { ...installed, plugin: { ...plugin, setup } } satisfies InstalledPlugin,
    /** Begins to send what is due. */
    poll: () => poll(),
    /** Sends until nothing is due. */
    async send({ sql }: Pick<TestServer, 'sql'>): Promise<void> {
      for (let tries = 0; tries < 400; tries += 1) {
        await poll();
        const [row] = await sql('select count(*)::integer as open from webhook_delivery where state in (0, 1) and (state = 1 or due_at <= now())');
        if (row?.open === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error('Events are still being sent.');
    },
  };
}
