/** Holds the embedded database open for the servers of `npm run dev`. The first argument names the build of `src/server/host/development/database.ts`. */
import { pathToFileURL } from 'node:url';

try {
  const { openForDevelopment } = await import(pathToFileURL(process.argv[2]).href);
  const database = await openForDevelopment(process.env);
  const stop = () => Promise.resolve(database?.close()).finally(() => process.exit(0));
  process.once('message', stop);
  process.once('disconnect', stop);
  process.send({ kind: database ? 'open' : 'unshared' });
} catch (error) {
  process.send({ kind: 'failed', message: error?.message || String(error) }, () => process.exit(1));
}
