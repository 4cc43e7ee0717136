import type { App } from '../../platform/http/app.ts';

/** Conditions for accepting requests. */
export interface Readiness {
  /** Throws if the database does not answer. */
  check(): Promise<void>;
  /** True once the server has been asked to stop. */
  isDraining(): boolean;
}

/** Serves `/health/live`, which answers while the process runs, and `/health/ready`, which is 503 while the server drains or its database is unavailable. */
export function serveHealth(app: App, readiness: Readiness): void {
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async (request, reply) => {
    if (readiness.isDraining()) return reply.code(503).send({ status: 'draining' });
    try {
      await readiness.check();
      return { status: 'ready' };
    } catch (error) {
      request.log.warn({ err: error }, 'the database does not answer');
      return reply.code(503).send({ status: 'database unavailable' });
    }
  });
}
