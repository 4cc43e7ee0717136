import type { Static } from 'typebox';
import * as Type from 'typebox';
import { get, NoInput } from '#shared/contract';
import { HealthItem } from '#shared/health';
import type { LocalizedText } from '#shared/text';
import { healthMenu } from './menus.ts';

/** A server of the deployment; figures are missing for one of a version that does not report them. */
const HealthServer = Type.Object({
  id: Type.String(),
  host: Type.String(),
  isAlive: Type.Boolean(),
  startTime: Type.String(),
  seenTime: Type.String(),
  uptimeSeconds: Type.Number(),
  figures: Type.Optional(
    Type.Object({
      version: Type.String(),
      node: Type.String(),
      plugins: Type.Integer(),
      skipped: Type.Array(Type.Object({ id: Type.String(), reason: Type.Unsafe<LocalizedText>({ type: 'array', items: { type: 'string' } }) })),
      loopDelayMs: Type.Number(),
      memoryBytes: Type.Number(),
      memoryLimitBytes: Type.Number(),
      /** Absent with the embedded database. */
      connections: Type.Optional(Type.Object({ busy: Type.Integer(), waiting: Type.Integer(), max: Type.Integer() })),
    }),
  ),
});
export type HealthServer = Static<typeof HealthServer>;

const HealthReport = Type.Object({ time: Type.String(), servers: Type.Array(HealthServer), items: Type.Array(HealthItem) });
export type HealthReport = Static<typeof HealthReport>;

/** Reports the health of the whole deployment, to administrators of the platform. */
export const healthReport = get('/api/things-system/health/report', {
  title: ['运行状况', 'Health report'],
  access: { code: healthMenu.code },
  input: NoInput,
  reply: HealthReport,
});
