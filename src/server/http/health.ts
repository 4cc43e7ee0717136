import type { App } from './app.ts';

/** Whether this process should be given requests. */
export interface Readiness {
  /** Throws when the database does not answer. */
  check(): Promise<void>;
  /** True once the server is asked to stop. */
  readonly draining: boolean;
}

/** `/health/live`: the process answers. `/health/ready`: it may be given requests; 503 while it drains or its database is away. */
export function serveHealth(app: App, readiness: Readiness): void {
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async (request, reply) => {
    if (readiness.draining) return reply.code(503).send({ status: 'draining' });
    try {
      await readiness.check();
      return { status: 'ready' };
    } catch (error) {
      request.log.warn({ err: error }, 'the database does not answer');
      return reply.code(503).send({ status: 'database unavailable' });
    }
  });
}
