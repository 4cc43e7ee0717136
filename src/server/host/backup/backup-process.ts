import { spawn } from 'node:child_process';
import type { Environment } from '../../base/configuration/configuration.ts';
import type { BackupReport, BackupRequest, MakeBackup } from '../../platform/backup/backup-report.ts';

/** Message of the process that makes a backup. */
type BackupReply = { readonly report: BackupReport } | { readonly problem: string };

/**
 * Makes each backup in a child process, so that reading and compressing does not delay requests. The child imports the server's module and calls its
 * `backupRequested`. If this process ends first, the child stops and leaves no file.
 */
export const backupProcess =
  (module: string, environment: Environment): MakeBackup =>
  ({ path, isVerified, signal }) =>
    new Promise((resolve, reject) => {
      const program = `import(${JSON.stringify(module)}).then((server) => server.backupRequested())`;
      const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        env: { ...environment },
        windowsHide: true,
      });
      let reply: BackupReply | undefined;
      const stop = () => child.connected && child.disconnect();
      signal?.addEventListener('abort', stop, { once: true });
      child.once('message', (message) => {
        reply = message as BackupReply;
      });
      child.once('error', reject);
      child.once('exit', (code, signalName) => {
        signal?.removeEventListener('abort', stop);
        if (reply && 'report' in reply) resolve(reply.report);
        else if (signal?.aborted) reject(signal.reason);
        else reject(new Error(reply?.problem ?? `The process of the backup ended with ${signalName ?? `code ${code}`}. Its output contains the reason.`));
      });
      // If the child has ended already, sending fails, and the exit handler above reports the reason.
      child.send({ path, isVerified } satisfies BackupRequest, () => undefined);
      if (signal?.aborted) stop();
    });

/** Runs in the child process: makes the backup that the parent requests, and sends back its report or the problem. */
export async function serveBackupRequest(makeBackup: MakeBackup): Promise<void> {
  const stopping = new AbortController();
  const stop = () => stopping.abort(new Error('The server stopped during the backup.'));
  for (const event of ['disconnect', 'SIGINT', 'SIGTERM'] as const) process.once(event, stop);
  const request = await new Promise<BackupRequest>((resolve) => process.once('message', (message) => resolve(message as BackupRequest)));
  const reply = await makeBackup({ ...request, signal: stopping.signal }).then(
    (report): BackupReply => ({ report }),
    (error: Error): BackupReply => ({ problem: error.message }),
  );
  if (process.connected) await new Promise<void>((resolve) => process.send?.(reply, () => resolve()));
  process.exit();
}
