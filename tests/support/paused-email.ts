import { plugins } from '#deployment/server';
import { emailPlugin } from '../../src/plugins/email/server/plugin.ts';
import type { SmtpTimeouts } from '../../src/plugins/email/server/smtp.ts';
import type { InstalledPlugin } from '../../src/server/host/plugin-host/plugin.ts';

/** The plugin `email` whose periodic work runs only when a test says so. */
export function pausedEmail(timeouts?: SmtpTimeouts) {
  const work = new Map<number, () => Promise<void>>();
  const plugin = emailPlugin(timeouts);
  const setup: typeof plugin.setup = (context) => {
    const { tasks = [], ...contributions } = plugin.setup?.(context) ?? {};
    for (const { everySeconds, run } of tasks) work.set(everySeconds, () => run(new AbortController().signal));
    return contributions;
  };
  const migrations = plugins.find(({ plugin: { id } }) => id === 'email')?.migrations ?? {};
  const installed: InstalledPlugin = { plugin: { ...plugin, setup }, migrations };
  const run = (seconds: number) => async () => work.get(seconds)?.();
  return { installed, run: { send: run(2), views: run(30), digest: run(300), prune: run(3600) } };
}
